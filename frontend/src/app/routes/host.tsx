export function HostRoute() { return null; }
