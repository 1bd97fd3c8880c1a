export function Brand({ size = 20 }: { size?: number }) {
  return (
    <span
      style={{ display: "inline-flex", alignItems: "center", gap: 8, fontWeight: 650, letterSpacing: "-0.01em", fontSize: size * 0.75 }}
    >
      <svg width={size * 0.8} height={size} viewBox="0 0 16 20" aria-hidden="true">
        <path d="M8 0v11" stroke="currentColor" strokeWidth="1.5" />
        <path d="M4.2 10.5h7.6L8 19.5z" fill="currentColor" />
      </svg>
      <span className="brand-word">Plumbline</span>
    </span>
  );
}
