"""Writes spreadsheets (Office Open XML, ISO/IEC 29500) with the standard library: real tables with filters, number formats and charts."""
