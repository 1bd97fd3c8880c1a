"""Collection: reads hosts over channels and posts what they report to the check-in endpoint; vCenters."""
