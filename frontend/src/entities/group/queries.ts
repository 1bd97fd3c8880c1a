import { query } from "@/shared/api/client";

/** Every read of the tree of groups. */
export const groupsKey = ["get", "/api/v1/groups"] as const;

/** Groups of the tree that this person may see; several pages filter by them. */
export const useGroups = () => query.useQuery("get", "/api/v1/groups", {}, { staleTime: 60_000 });

/** Groups as choices of a list: "All hosts", "All hosts / PROD-B". */
export function useGroupChoices(): { value: string; label: string }[] {
  const groups = useGroups().data ?? [];
  const byId = new Map(groups.map((group) => [group.id, group]));
  const labelOf = (id: number | null, depth = 0): string[] => {
    const group = id === null ? undefined : byId.get(id);
    return group && depth < 50 ? [...labelOf(group.parent_id, depth + 1), group.name] : [];
  };
  return groups.map((group) => ({ value: String(group.id), label: labelOf(group.id).join(" / ") }));
}
