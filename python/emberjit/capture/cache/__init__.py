"""The compile cache: entries of jitted functions that outlive the process."""
