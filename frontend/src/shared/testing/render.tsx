import { MantineProvider } from "@mantine/core";
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
