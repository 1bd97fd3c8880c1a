import { describe, expect, it } from "vitest";
import { deviceText, factorHint, passwordHint } from "./account-labels";

describe("one's own account", () => {
  it("names browser and system, as far as they are known", () => {
    expect(deviceText("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox on Linux");
    expect(deviceText("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")).toBe(
      "Chrome on Windows",
    );
    expect(deviceText("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1")).toBe(
      "Safari on iPhone",
    );
    expect(deviceText("curl/8.5")).toBe("Unknown device");
  });
  it("says why a second factor has to be added", () => {
    expect(factorHint({ second_factors: [], must_add_second_factor: true })).toContain("you can't approve anything");
    expect(factorHint({ second_factors: ["passkey"], must_add_second_factor: false })).toContain("after the password");
    expect(factorHint({ second_factors: [], must_add_second_factor: false })).toContain("stolen password");
  });
  it("says why a password has to be set", () => {
    expect(passwordHint({ provider: null, must_set_password: true })).toContain("you can't approve anything");
    expect(passwordHint({ provider: "Entra", must_set_password: false })).toBe("You sign in at Entra and have no password here.");
    expect(passwordHint({ provider: null, must_set_password: false })).toContain("Only you know your password");
  });
});
