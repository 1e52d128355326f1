import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

/** The drawings of empty and error states. */
export type DrawingName = 'basket' | 'field' | 'letter' | 'parcel' | 'search' | 'farm' | 'broken';

const scenes: Record<DrawingName, ReactNode> = {
  basket: (
    <>
      <path d="M34 66c2-22 12-34 26-34s24 12 26 34" {...line('var(--scene-furrow)', 4)} />
      <circle cx="48" cy="60" r="11" fill="var(--scene-barn)" />
      <path d="M48 50c1-4 4-6 7-6" {...line('var(--scene-tree)', 2.5)} />
      <circle cx="72" cy="59" r="12" fill="var(--scene-crop)" />
      <path d="M60 62c4-10 2-18-2-24 10 4 12 14 8 24z" fill="var(--scene-wheat)" />
      <path d="M26 64h68l-8 36a6 6 0 0 1-6 5H40a6 6 0 0 1-6-5z" fill="var(--scene-soil)" />
      <path d="M24 62h72v8H24z" fill="var(--scene-furrow)" />
      <path
        d="M31 80h58M34 92h52M46 70l4 35M60 70v35M74 70l-4 35"
        {...line('var(--scene-furrow)', 2.5)}
      />
    </>
  ),
  field: (
    <>
      <circle cx="84" cy="36" r="13" fill="var(--scene-sun)" />
      <path d="M5.3 74c25-18 41-14 57-6s36 8 52.4 6A56 56 0 0 1 5.3 74z" fill="var(--scene-mid)" />
      <path d="M8.5 84c30-10 73-8 103 0a56 56 0 0 1-103 0z" fill="var(--scene-soil)" />
      <path
        d="M22 98c6-6 12-9 20-12M44 108c2-9 5-15 12-21M76 108c-1-9-4-15-10-21M99 97c-6-6-12-8-21-11"
        {...line('var(--scene-furrow)', 3)}
      />
      <path d="M60 84V58" {...line('var(--scene-tree)', 3.5)} />
      <path d="M60 66c-14 1-18-6-19-14 12-1 19 4 19 14z" fill="var(--scene-crop)" />
      <path d="M60 60c0-12 7-18 19-18 1 10-5 18-19 18z" fill="var(--scene-near)" />
    </>
  ),
  letter: (
    <>
      <rect x="20" y="44" width="80" height="56" rx="5" fill="var(--scene-wheat)" />
      <path d="M20 49l40 30 40-30v-1a5 5 0 0 0-5-4H25a5 5 0 0 0-5 4z" fill="var(--scene-soil)" />
      <path d="M23 97l27-25M97 97L70 72" {...line('var(--scene-furrow)', 2.5)} />
      <path d="M60 40V20" {...line('var(--scene-tree)', 3)} />
      <path d="M60 30c-9 0-13-5-13-11 9 0 13 4 13 11z" fill="var(--scene-crop)" />
      <path d="M60 26c0-8 5-12 13-12 0 7-4 12-13 12z" fill="var(--scene-near)" />
    </>
  ),
  parcel: (
    <>
      <path d="M22 52h76v48a5 5 0 0 1-5 5H27a5 5 0 0 1-5-5z" fill="var(--scene-soil)" />
      <path d="M22 66h76M22 82h76" {...line('var(--scene-furrow)', 3)} />
      <path d="M38 52v53M82 52v53" {...line('var(--scene-furrow)', 5)} />
      <path d="M44 52c-6-14 2-26 2-26s9 11 4 26z" fill="var(--scene-crop)" />
      <path d="M60 52c-5-18 0-32 0-32s7 13 4 32z" fill="var(--scene-near)" />
      <path d="M70 52c2-12 10-20 10-20s3 11-3 20z" fill="var(--scene-crop)" />
    </>
  ),
  search: (
    <>
      <path d="M12.7 92c28-9 66-9 94.6 0a56 56 0 0 1-94.6 0z" fill="var(--scene-mid)" />
      <path d="M24 98V80M34 98V84M92 98V82" {...line('var(--scene-tree)', 3)} />
      <path d="M24 86c-7 0-10-4-10-9 7 0 10 3 10 9z" fill="var(--scene-crop)" />
      <path d="M92 88c0-7 4-10 10-10 0 6-4 10-10 10z" fill="var(--scene-crop)" />
      <circle cx="56" cy="52" r="25" fill="var(--scene-sky)" />
      <circle cx="56" cy="52" r="25" {...line('var(--scene-furrow)', 6)} />
      <path d="M75 71l18 18" {...line('var(--scene-furrow)', 8)} />
      <path d="M45 46c3-6 8-9 14-9" {...line('var(--scene-cloud)', 3.5)} />
    </>
  ),
  farm: (
    <>
      <circle cx="30" cy="36" r="11" fill="var(--scene-sun)" />
      <path d="M8.5 84c26-14 77-14 103 0a56 56 0 0 1-103 0z" fill="var(--scene-near)" />
      <path d="M44 62l22-18 22 18v32H44z" fill="var(--scene-barn)" />
      <path d="M40 65l26-22 26 22" {...line('var(--scene-roof)', 5)} />
      <path d="M58 72h16v22H58zM58 72l16 22M74 72L58 94" {...line('var(--scene-wall)', 2.5)} />
      <path d="M92 94V60a7 7 0 0 1 14 0v34z" fill="var(--scene-wall)" />
      <path d="M92 60a7 7 0 0 1 14 0z" fill="var(--scene-roof)" />
      <path d="M20 97c8-3 18-4 26-4M32 105c8-3 16-4 24-4" {...line('var(--scene-crop)', 3)} />
    </>
  ),
  broken: (
    <>
      <path d="M12.7 92c28-8 66-8 94.6 0a56 56 0 0 1-94.6 0z" fill="var(--scene-mid)" />
      <path d="M28 98V46M60 98V40M92 98V48" {...line('var(--scene-furrow)', 7)} />
      <path d="M20 60l33-4M67 58l14 10M20 80l80 2" {...line('var(--scene-soil)', 6)} />
      <path d="M78 54l22-6" {...line('var(--scene-soil)', 6)} />
      <path d="M44 98c-2-8-6-10-10-10M44 98c1-8 4-12 9-13" {...line('var(--scene-crop)', 3)} />
    </>
  ),
};

function line(stroke: string, width: number) {
  return {
    fill: 'none',
    stroke,
    strokeWidth: width,
    strokeLinecap: 'round' as const,
    strokeLinejoin: 'round' as const,
  };
}

/** A decorative drawing on a round background. */
export function Drawing({ name, className }: { name: DrawingName; className?: string }) {
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" className={cn('size-32', className)}>
      <circle cx="60" cy="62" r="56" fill="var(--scene-haze)" />
      {scenes[name]}
    </svg>
  );
}
