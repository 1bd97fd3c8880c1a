import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** Ten shades for Mantine's own parts; the screens use the tokens of tokens.css. */
const ink: MantineColorsTuple = [
  "#f6f7f9",
  "#eef0f4",
  "#e3e6eb",
  "#c9ced6",
  "#98a1ae",
  "#5c6370",
  "#434b57",
  "#2b3447",
  "#1b2230",
  "#14171c",
];

/** Mantine's dark scheme, drawn from the dark tokens. */
const dark: MantineColorsTuple = [
  "#e6e9ef",
  "#c3cad4",
  "#a6adb8",
  "#8a929f",
  "#3c434f",
  "#2a2f38",
  "#1a1d23",
  "#14171c",
  "#101317",
  "#0c0e11",
];

export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 8, dark: 1 },
  autoContrast: true,
  colors: { ink, dark },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  defaultRadius: 6,
  respectReducedMotion: true,
  focusRing: "auto",
  headings: { fontFamily: "var(--font)", fontWeight: "600" },
  components: {
    Button: { defaultProps: { size: "xs", variant: "default" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm", visibilityToggleButtonProps: { "aria-label": "Show the password" } } },
    Select: { defaultProps: { size: "sm", allowDeselect: false, comboboxProps: { shadow: "none" } } },
    Menu: { defaultProps: { shadow: "none", position: "bottom-end", withinPortal: true } },
    Modal: { defaultProps: { centered: false, shadow: "none", transitionProps: { duration: 0 } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    Drawer: { defaultProps: { shadow: "none", transitionProps: { duration: 0 } } },
  },
});

const shared = {
  "--mantine-color-body": "var(--ground)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-2)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-default": "var(--ground)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-anchor": "var(--ink)",
  "--mantine-color-error": "var(--outcome-fail-text)",
  "--mantine-primary-color-filled": "var(--action)",
  "--mantine-primary-color-filled-hover": "var(--action-hover)",
  "--mantine-primary-color-contrast": "var(--action-text)",
  "--mantine-color-ink-filled": "var(--action)",
  "--mantine-color-ink-filled-hover": "var(--action-hover)",
};

/** Mantine's variables take the tokens' values in both schemes, so that one file rules the colours. */
export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
