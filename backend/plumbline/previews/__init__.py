"""What-if runs and "as of" views: they evaluate and write no finding."""
