export function EnrolRoute() { return null; }
