import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, query } from "@/shared/api/client";
import { requireBody } from "@/shared/api/require-body";
import { useChange } from "@/shared/api/use-change";
import type { MailCreate, ReportCreate, ScheduleInput } from "./types";

const reportsKey = ["get", "/api/v1/reports"] as const;
const reportKey = ["get", "/api/v1/reports/{report_id}"] as const;
const schedulesKey = ["get", "/api/v1/report-schedules"] as const;

export const useReports = (schedule?: number) =>
  query.useQuery(
    "get",
    "/api/v1/reports",
    { params: { query: schedule === undefined ? {} : { schedule } } },
    { refetchInterval: ({ state }) => (state.data?.some((report) => report.state === "queued") ? 1500 : 60_000) },
  );

export const useReport = (report_id: number) =>
  query.useQuery(
    "get",
    "/api/v1/reports/{report_id}",
    { params: { path: { report_id } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.state === "queued" ? 1000 : state.data?.mails.some((mail) => mail.state === "waiting") ? 3000 : false,
    },
  );

export function useMakeReport(whenMade: (id: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: ReportCreate) => requireBody((await api.POST("/api/v1/reports", { body })).data),
    onSuccess: (report) => {
      void client.invalidateQueries({ queryKey: reportsKey });
      whenMade(report.id);
    },
  });
}

export const useMailChannels = (group_id: number | undefined) =>
  query.useQuery(
    "get",
    "/api/v1/reports/mail-channels",
    { params: { query: { group_id: group_id ?? 1 } } },
    { enabled: group_id !== undefined },
  );

export const useMailReport = (report_id: number) =>
  useChange(
    (body: MailCreate) => api.POST("/api/v1/reports/{report_id}/mails", { params: { path: { report_id } }, body }),
    reportKey,
    reportsKey,
  );

export const useMailAgain = (report_id: number) =>
  useChange(
    (mail_id: number) => api.POST("/api/v1/reports/{report_id}/mails/{mail_id}/again", { params: { path: { report_id, mail_id } } }),
    reportKey,
    reportsKey,
  );

export const useSchedules = () => query.useQuery("get", "/api/v1/report-schedules");

export const useCreateSchedule = () => useChange((body: ScheduleInput) => api.POST("/api/v1/report-schedules", { body }), schedulesKey);

export const useChangeSchedule = (schedule_id: number) =>
  useChange(
    (body: ScheduleInput) => api.PUT("/api/v1/report-schedules/{schedule_id}", { params: { path: { schedule_id } }, body }),
    schedulesKey,
  );

export const useRemoveSchedule = (schedule_id: number) =>
  useChange(() => api.DELETE("/api/v1/report-schedules/{schedule_id}", { params: { path: { schedule_id } } }), schedulesKey);
