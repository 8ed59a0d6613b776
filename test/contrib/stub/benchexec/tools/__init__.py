"""Where the base class of tool-info modules is."""
