export function RuleRoute() { return null; }
