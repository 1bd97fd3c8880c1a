export function ReportsRoute() { return null; }
