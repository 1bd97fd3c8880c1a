import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/** Sends a change, and reads again what it changed: the named queries, or everything where none is named. */
export function useChange<Given, Made>(change: (given: Given) => Promise<Made>, ...keys: QueryKey[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await (keys.length === 0 ? client.invalidateQueries() : Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))));
    },
  });
}
