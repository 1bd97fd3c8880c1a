import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Session } from "@/entities/person/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import styles from "./admin.module.css";
import { ApiTokens } from "./api-tokens";
import { Audit } from "./audit";
import { FabricImport } from "./fabrics";
import { FirstSteps } from "./first-steps";
import { GroupRoles } from "./group-roles";
import { Groups } from "./groups";
import { Notices } from "./notices";
import { People } from "./people";
import type { ADMIN_TABS, AdminSearch } from "./search";
import { SignIn } from "./sign-in";
import { SignInPolicy } from "./sign-in-policy";
import { SystemHealth } from "./system-health";

interface AdminPageProps {
  search: AdminSearch;
  setSearch: PatchSearch<AdminSearch>;
  can: Partial<Session["can"]>;
  /** The part about hosts that Plumbline reads itself. */
  collection: ReactNode;
}

export function AdminPage({ search, setSearch, can, collection }: AdminPageProps) {
  const tabs: { tab: (typeof ADMIN_TABS)[number]; label: string; isOpen: boolean }[] = [
    { tab: "people", label: "Users", isOpen: can.manage_people ?? false },
    { tab: "sign-in", label: "Single sign-on", isOpen: (can.manage_sign_in || can.manage_groups) ?? false },
    { tab: "groups", label: "Groups", isOpen: can.manage_groups ?? false },
    { tab: "collection", label: "Collection", isOpen: can.manage_collection ?? false },
    { tab: "notices", label: "Notifications", isOpen: can.manage_notices ?? false },
    { tab: "audit", label: "Audit log", isOpen: can.see_audit ?? false },
    { tab: "health", label: "System health", isOpen: can.see_system_health ?? false },
    { tab: "tokens", label: "API tokens", isOpen: true },
  ];
  const open = tabs.filter((one) => one.isOpen);
  const tab = open.find((one) => one.tab === search.tab)?.tab ?? open[0]?.tab;
  return (
    <>
      <div className="page-head">
        <h1>{can.manage_people || can.manage_groups ? "Admin" : tab === "tokens" ? "API tokens" : "Audit log"}</h1>
        {can.enrol ? (
          <span className="dim">
            Enrolment tokens are on the{" "}
            <Link to="/enrol" className="link">
              Enrol hosts
            </Link>{" "}
            page.
          </span>
        ) : null}
      </div>
      {can.manage_people ? <FirstSteps /> : null}
      <nav className={styles.tabs} aria-label="Admin sections">
        {open.map((one) => (
          <Link
            key={one.tab}
            to="/admin"
            search={{ tab: one.tab }}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ "aria-current": undefined }}
            aria-current={one.tab === tab ? "page" : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {tab === "people" ? <People /> : null}
      {tab === "sign-in" ? (
        <>
          {can.manage_sign_in ? <SignInPolicy /> : null}
          {can.manage_sign_in ? <SignIn /> : null}
          <GroupRoles />
        </>
      ) : null}
      {tab === "groups" ? (
        <>
          <Groups />
          <FabricImport />
        </>
      ) : null}
      {tab === "collection" ? collection : null}
      {tab === "notices" ? <Notices /> : null}
      {tab === "audit" ? <Audit search={search} setSearch={setSearch} /> : null}
      {tab === "health" ? <SystemHealth /> : null}
      {tab === "tokens" ? <ApiTokens canNameService={can.manage_groups ?? false} /> : null}
    </>
  );
}
