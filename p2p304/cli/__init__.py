"""The command line: commands for tables and commands for files, with their options."""
