export function RulesRoute() { return null; }
