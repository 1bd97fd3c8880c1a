import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { resolveVariables, theme } from "@/shared/theme/theme";

/** Draws a component as the program does, without router and data. */
export const draw = (node: ReactNode) =>
  render(
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} env="test">
      {node}
    </MantineProvider>,
  );

/** Draws a component as a page of its own, with links and queries. The router shows it a moment later: wait with `findBy…`. */
export function drawPage(node: ReactNode) {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/", component: () => node });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() });
  return draw(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}
