import { Loader } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, query } from "@/shared/api/client";
import { Callout } from "@/shared/ui/callout";
import { Dialog } from "@/shared/ui/dialog";
import { FormBody } from "@/shared/ui/form-dialog";
import { QueryPanel } from "@/shared/ui/query-panel";
import styles from "./lab.module.css";

/** Ends the lab: what goes with it, the one button that does it, and the wait until Plumbline has started again, empty. */
export function RemoveLab({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const remove = useMutation({ mutationFn: async () => (await api.POST("/api/v1/lab/remove", {})).data });
  const code = remove.data?.setup_code;
  return code === undefined ? (
    <Dialog title="Remove lab" isOpen={isOpen} close={close}>
      <WhatGoes
        act={{
          submit: (event) => {
            event.preventDefault();
            remove.mutate();
          },
          isBusy: remove.isPending,
          error: remove.error,
        }}
      />
    </Dialog>
  ) : (
    <Dialog title="Removing the lab" isOpen={isOpen}>
      <StartsAgain code={code} />
    </Dialog>
  );
}

function WhatGoes({ act }: { act: Parameters<typeof FormBody>[0]["form"] }) {
  const lab = query.useQuery("get", "/api/v1/lab");
  return (
    <QueryPanel query={lab} height={120}>
      {({ simulated_hosts, reason }) => (
        <FormBody form={act} label="Remove lab" isDisabled={reason !== ""}>
          {reason ? (
            <Callout status="warn">{reason}</Callout>
          ) : (
            <p className={styles.text}>
              This deletes the {simulated_hosts} simulated hosts with all their history, plans, reports and people. Plumbline then starts
              again empty, and you create its first admin. This can't be undone.
            </p>
          )}
        </FormBody>
      )}
    </QueryPanel>
  );
}

/** The server ends and starts again meanwhile, so that a request which fails is expected. */
function StartsAgain({ code }: { code: string }) {
  const wasDown = useRef(false);
  const setup = useQuery({
    queryKey: ["lab removed"],
    queryFn: async ({ signal }) => (await api.GET("/api/v1/setup", { signal })).data ?? null,
    refetchInterval: 1000,
    retry: false,
  });
  useEffect(() => {
    if (setup.isError) wasDown.current = true;
    else if (setup.data?.needs_setup) window.location.assign(`/setup?code=${encodeURIComponent(code)}`);
    // It is back and still the lab: a host was added meanwhile that is not simulated.
    else if (setup.data && wasDown.current) window.location.reload();
  }, [setup.isError, setup.data, code]);
  return (
    <div className={styles.wait} role="status">
      <Loader size={18} aria-hidden="true" />
      <p className={styles.text}>
        Plumbline starts again, empty. This takes about a minute, then this page asks you to create the first admin with the one-time code{" "}
        <span className="mono">{code}</span>.
      </p>
    </div>
  );
}
