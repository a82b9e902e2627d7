"""Links of many matches as a partitioned Parquet data set: five tables and a manifest."""
