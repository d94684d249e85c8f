"""How good selections are: the tables, the methods, the models, and the page QUALITY.md."""
