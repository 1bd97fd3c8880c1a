export function AdminRoute() { return null; }
