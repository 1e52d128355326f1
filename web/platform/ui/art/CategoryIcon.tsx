import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

const stroke = (color: string, width: number) => ({
  fill: 'none',
  stroke: color,
  strokeWidth: width,
  strokeLinecap: 'round' as const,
  strokeLinejoin: 'round' as const,
});

/** Drawings for the usual category emoji. */
const drawn: Record<string, ReactNode> = {
  '🥕': (
    <>
      <path
        d="M29 20C26 9 30 4 33 2c1 6 1 11-1 17zM31 20C33 9 39 7 44 8c-2 7-6 11-12 13z"
        fill="#4d8350"
      />
      <path d="M33 16c6 5 3 9-1 13L8 46c-3 1-5-1-4-4l14-25c4-6 10-6 15-1z" fill="#e2813a" />
      <path d="M21 21l5 4M15 31l4 3M27 17l3 3" {...stroke('#b95f22', 2)} />
    </>
  ),
  '🍎': (
    <>
      <path
        d="M24 15c-12-7-20 2-18 14 2 11 9 18 14 17 3-1 5-1 8 0 5 1 12-6 14-17 2-12-6-21-18-14z"
        fill="#c7452f"
      />
      <path d="M14 19c-4 3-5 8-3 13" {...stroke('#ec9a85', 3)} />
      <path d="M24 16c0-6 1-9 4-12" {...stroke('#6a4a2b', 3)} />
      <path d="M28 9c5-6 11-5 14-3-3 6-9 7-14 3z" fill="#4d8350" />
    </>
  ),
  '🥚': (
    <>
      <ellipse cx="17" cy="27" rx="12.5" ry="16" fill="#f3e3c8" transform="rotate(-14 17 27)" />
      <ellipse cx="32" cy="31" rx="12" ry="15" fill="#d9a877" transform="rotate(10 32 31)" />
      <path d="M26 26c1-4 3-6 6-7" {...stroke('#ecc9a3', 3)} />
      <path d="M3 38c10 7 32 8 42 1-3 6-9 8-21 8S6 44 3 38z" fill="#b98a5c" />
    </>
  ),
  '🌿': (
    <>
      <path d="M12 46C16 30 22 18 36 4" {...stroke('#3c6b45', 3)} />
      <path
        d="M30 12c-8-2-11-7-10-11 6 0 11 4 10 11zM32 11c2-6 7-8 13-6-1 6-6 9-13 6z"
        fill="#6b9c63"
      />
      <path
        d="M23 23c-9 0-13-5-13-10 7-1 13 3 13 10zM26 20c3-6 9-7 15-4-3 6-9 8-15 4z"
        fill="#4d8350"
      />
      <path
        d="M17 35C8 37 3 32 2 26c7-1 14 2 15 9zM20 31c3-6 10-7 16-3-4 6-10 8-16 3z"
        fill="#6b9c63"
      />
    </>
  ),
  '🍯': (
    <>
      <path
        d="M10 16h28c5 6 6 12 5 18-1 8-5 12-10 12H15C10 46 6 42 5 34c-1-6 0-12 5-18z"
        fill="#e3a83a"
      />
      <path d="M6 26h36c1 3 2 6 1 10H5c-1-4 0-7 1-10z" fill="#fff8e6" />
      <path d="M24 28c3-3 7 0 4 3l-4 4-4-4c-3-3 1-6 4-3z" fill="#c7452f" />
      <rect x="8" y="6" width="32" height="11" rx="3" fill="#9c7046" />
      <path d="M14 10v4M20 10v4M26 10v4M32 10v4" {...stroke('#6a4a2b', 2)} />
    </>
  ),
  '🌻': (
    <>
      <path d="M24 26v21" {...stroke('#3c6b45', 3.5)} />
      <path
        d="M24 44c-9 1-13-3-14-8 8-1 13 2 14 8zM25 41c1-6 6-9 13-8-1 6-6 9-13 8z"
        fill="#4d8350"
      />
      {[0, 36, 72, 108, 144, 180, 216, 252, 288, 324].map((angle) => (
        <ellipse
          key={angle}
          cx="24"
          cy="6.5"
          rx="4.4"
          ry="6.5"
          fill="#e9b93f"
          transform={`rotate(${angle} 24 18)`}
        />
      ))}
      <circle cx="24" cy="18" r="7.5" fill="#6a4a2b" />
      <circle cx="24" cy="18" r="4" fill="#4a3220" />
    </>
  ),
};

/**
 * The icon of a category, an emoji. Known emoji are replaced by drawings, which look the same on
 * every device. Decorative: the category's name is shown beside it.
 */
export function CategoryIcon({ icon, className }: { icon: string; className?: string }) {
  const drawing = drawn[icon];
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-grid size-10 shrink-0 place-items-center text-xl leading-none',
        className,
      )}
    >
      {drawing ? (
        <svg viewBox="0 0 48 48" aria-hidden="true" className="size-full">
          {drawing}
        </svg>
      ) : (
        icon
      )}
    </span>
  );
}
