import { cn } from '../cn.ts';

/** The sprout that stands for a market without a logo of its own. */
export function Sprout({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className={cn('shrink-0', className)}>
      <rect width="64" height="64" rx="15" fill="#2c6b39" />
      <path d="M32 55V30" fill="none" stroke="#fffdf7" strokeWidth="5" strokeLinecap="round" />
      <path d="M32 38C18 39 11 30 11 18c13 0 21 7 21 20z" fill="#a9dea9" />
      <path d="M32 31c0-13 8-21 22-21 0 14-8 21-22 21z" fill="#e5b23c" />
    </svg>
  );
}
