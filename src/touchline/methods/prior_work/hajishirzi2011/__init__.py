"""Hajishirzi, Hockenmaier, Mueller & Amir 2011."""
