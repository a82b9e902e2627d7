"""Requests and responses: endpoints, errors, security."""
