import { createSpotlight } from "@mantine/spotlight";

/** The search over everything: its state, and opening and closing it. */
export const [spotlightStore, spotlight] = createSpotlight();
