"""Stands in for setuptools while pip downloads SQLite's source: nothing of the package is run or built by pip."""
