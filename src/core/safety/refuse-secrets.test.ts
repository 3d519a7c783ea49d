import { describe, expect, it } from "vitest";
import { holdsLabelledSecret } from "./refuse-secrets.ts";

describe("a secret that another field names", () => {
  it.each([
    ["password", "Xk9#mQ2v"],
    ["wifi_password", "Xk9#mQ2v"],
    ["password_wifi", "Xk9#mQ2v"],
    ["wifiPassword", "Xk9#mQ2v"],
    ["user.password.home", "Xk9#mQ2v"],
    ["preference:password", "sunshine"],
    ["my card pin", "4821"],
    ["card_pin", "4821"],
    ["api_key", "9f8e7d6c5b4a3f2e1d0c9b"],
    ["passwords", "Xk9#mQ2v and Zp8$wer2"],
    ["password", "it is Xk9#mQ2v"],
  ])("%j and %j", (label, text) => {
    expect(holdsLabelledSecret(label, text)).not.toBeNull();
  });

  it.each([
    ["preference:password-manager", "uses 1Password"],
    ["password_manager", "Bitwarden2024"],
    ["password", "was changed on 2026-03-14"],
    ["password_policy", "12 characters, rotated every 90 days"],
    ["pin", "prefers a pin with 6 digits"],
    ["color", "red4821"],
    ["token", "the museum sells tokens at the desk"],
    ["tool", "1Password"],
  ])("is not in %j and %j", (label, text) => {
    expect(holdsLabelledSecret(label, text)).toBeNull();
  });
});
