import { create } from 'qrcode';

/** The pause around a code that readers need, in its squares. */
const QUIET_SQUARES = 2;

/**
 * A QR code of a text, usually the address of a page. For a reader of screens it is nothing: a link stands beside it.
 */
export function Qr({ text, className }: { text: string; className?: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const squares = Array.from(data, (isDark, index) =>
    isDark ? `M${index % size} ${Math.floor(index / size)}h1v1h-1z` : '',
  ).join('');
  const width = size + 2 * QUIET_SQUARES;
  return (
    <svg
      viewBox={`${-QUIET_SQUARES} ${-QUIET_SQUARES} ${width} ${width}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
      className={className}
    >
      {/* Dark on light in every theme: many readers know no other. */}
      <rect x={-QUIET_SQUARES} y={-QUIET_SQUARES} width={width} height={width} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  );
}
