import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { makeQueryClient } from "@/shared/api/client";
import { resolveVariables, theme } from "@/shared/theme/theme";
import { router } from "./router";
import { SignInGate } from "./sign-in-gate";

const colorScheme = localStorageColorSchemeManager({ key: "plumbline-color-scheme" });

export function App() {
  const [client] = useState(makeQueryClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} colorSchemeManager={colorScheme} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <SignInGate>
          <RouterProvider router={router} />
        </SignInGate>
        <Notifications position="bottom-right" autoClose={6000} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
