import { cn } from '../../platform/ui/cn.ts';

const WIDTH = 1440;
const HEIGHT = 620;
/** More country on the left, for screens wider than the scene: without it they would show only its lower half. */
const LEFT = -1120;

/** Rows from the horizon at (`x`, `y`) towards the viewer, clipped to a field. */
function Rows({
  id,
  field,
  x,
  y,
  ground,
  row,
  leftRows = 24,
  dotted = false,
}: {
  id: string;
  field: string;
  x: number;
  y: number;
  ground: string;
  row: string;
  leftRows?: number;
  dotted?: boolean;
}) {
  // One path, because a page that has fewer elements is there sooner.
  let rows = '';
  for (let index = -leftRows; index <= 24; index++) {
    rows += `M${x + index * 7} ${y}L${x + index * 92} ${HEIGHT + 40}`;
  }
  return (
    <g clipPath={`url(#${id})`}>
      <clipPath id={id}>
        <path d={field} />
      </clipPath>
      <path d={field} fill={ground} />
      <path
        d={rows}
        stroke={row}
        strokeWidth={dotted ? 11 : 6}
        strokeLinecap="round"
        {...(dotted ? { strokeDasharray: '0.1 23' } : {})}
      />
    </g>
  );
}

function Tree({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path d="M0 2v-26" stroke="var(--scene-furrow)" strokeWidth="5" />
      <circle cy="-40" r="20" fill="var(--scene-tree)" />
      <circle cx="-15" cy="-30" r="14" fill="var(--scene-tree)" />
      <circle cx="15" cy="-29" r="13" fill="var(--scene-crop)" />
    </g>
  );
}

function Poplar({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <path
      transform={`translate(${x} ${y}) scale(${size})`}
      d="M0 0c-13 0-14-18-12-34S-4-76 0-80c4 4 10 30 12 46S13 0 0 0z"
      fill="var(--scene-tree)"
    />
  );
}

function Cloud({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <path
      transform={`translate(${x} ${y}) scale(${size})`}
      d="M0 0a17 17 0 0 1 27-14 30 30 0 0 1 55-5 22 22 0 0 1 34 19z"
      fill="var(--scene-cloud)"
    />
  );
}

function Barn() {
  return (
    <g transform="translate(1108 392)">
      <path d="M118 0v-88a19 19 0 0 1 38 0V0z" fill="var(--scene-wall)" />
      <path d="M118-88a19 19 0 0 1 38 0z" fill="var(--scene-roof)" />
      <path d="M118-60h38M118-30h38" stroke="var(--scene-soil)" strokeWidth="2" opacity=".5" />
      <path d="M0 0v-62l18-32 36-16 36 16 18 32V0z" fill="var(--scene-barn)" />
      <path
        d="M-6-58l20-38 40-18 40 18 20 38"
        fill="none"
        stroke="var(--scene-roof)"
        strokeWidth="9"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path d="M34 0v-46h40V0z" fill="var(--scene-wall)" />
      <path
        d="M34 0l40-46M74 0L34-46M34-46h40V0H34z"
        fill="none"
        stroke="var(--scene-barn)"
        strokeWidth="3.5"
      />
      <path d="M46-70h16v-16H46z" fill="var(--scene-wall)" />
    </g>
  );
}

/** The open gate. */
function Gate() {
  return (
    <g stroke="var(--scene-roof)" strokeLinecap="round" fill="none">
      <path d="M1008 470l152 26M1008 493l152 29M1008 516l152 32M1008 539l152 35" strokeWidth="9" />
      <path d="M1014 540L1156 496" strokeWidth="8" />
      <path d="M1008 462v84M1160 488v94M1084 482v86" strokeWidth="10" />
      <path d="M1172 470v130" strokeWidth="20" />
      <path d="M852 452v108" strokeWidth="17" />
      <path d="M1172 498h290M1172 532h290M1172 566h290" strokeWidth="10" />
      <path d="M1300 478v124M1420 478v124" strokeWidth="16" />
      <path d="M852 474H640M852 502H640M852 530H640" strokeWidth="8" />
      <path d="M745 456v98M640 456v98" strokeWidth="13" />
    </g>
  );
}

/** The crates of produce at the gate. */
function Produce() {
  return (
    <g transform="translate(872 486)">
      {/* Leeks and lettuce behind, in the left crate. */}
      <path
        d="M22 52C8 24 10 2 16-14 26 6 32 30 34 52zM44 52C36 22 42-4 50-20 58 4 56 32 54 52z"
        fill="var(--scene-crop)"
      />
      <path d="M34 52c-4-30 0-50 6-62 6 16 8 42 4 62z" fill="var(--scene-near)" />
      <circle cx="78" cy="42" r="20" fill="var(--scene-near)" />
      <circle cx="70" cy="46" r="14" fill="var(--scene-crop)" />
      <circle cx="88" cy="46" r="11" fill="var(--scene-mid)" />
      <path d="M2 48h106l-8 58H10z" fill="var(--scene-soil)" />
      <path d="M0 46h110v14H0zM6 72h98v9H6zM9 92h92v9H9z" fill="var(--scene-wheat)" />
      <path d="M26 46v60M84 46v60" stroke="var(--scene-furrow)" strokeWidth="5" />
      {/* Tomatoes and pears in the right one. */}
      <g transform="translate(124 22)">
        <circle cx="20" cy="42" r="15" fill="var(--scene-barn)" />
        <circle cx="48" cy="38" r="17" fill="var(--scene-barn)" />
        <circle cx="78" cy="42" r="15" fill="var(--scene-barn)" />
        <circle cx="34" cy="28" r="14" fill="var(--scene-sun)" />
        <circle cx="64" cy="27" r="14" fill="var(--scene-barn)" />
        <path
          d="M34 16c1-4 3-6 6-7M64 15c1-4 3-6 6-7M48 23c0-4 2-6 5-7"
          fill="none"
          stroke="var(--scene-tree)"
          strokeWidth="3.5"
          strokeLinecap="round"
        />
        <path d="M0 46h98l-7 52H7z" fill="var(--scene-soil)" />
        <path d="M-2 44h102v13H-2zM3 67h92v8H3zM6 85h86v8H6z" fill="var(--scene-wheat)" />
        <path d="M22 44v54M76 44v54" stroke="var(--scene-furrow)" strokeWidth="5" />
      </g>
      {/* A pumpkin before them. */}
      <g transform="translate(96 96)">
        <ellipse cx="-16" rx="17" ry="24" fill="var(--orange)" />
        <ellipse cx="16" rx="17" ry="24" fill="var(--orange)" />
        <ellipse rx="17" ry="27" fill="var(--straw)" />
        <path
          d="M0-25c0-8 3-11 9-13"
          fill="none"
          stroke="var(--scene-tree)"
          strokeWidth="6"
          strokeLinecap="round"
        />
      </g>
    </g>
  );
}

/**
 * The decorative picture of the hero section. Its upper left part is empty sky, for the text. Its right
 * part of 1440 units is what most screens show.
 */
export function HeroScene({ className }: { className?: string }) {
  return (
    <svg
      viewBox={`${LEFT} 0 ${WIDTH - LEFT} ${HEIGHT}`}
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
      className={cn('block', className)}
    >
      <rect x={LEFT} width={WIDTH - LEFT} height={HEIGHT} fill="var(--scene-sky)" />
      <path
        d={`M${LEFT} 300Q-560 423 0 330Q720 210 1440 300V${HEIGHT}H${LEFT}Z`}
        fill="var(--scene-haze)"
      />
      <circle cx="968" cy="178" r="92" fill="var(--scene-sun)" opacity="0.2" />
      <circle cx="968" cy="178" r="54" fill="var(--scene-sun)" />
      <Cloud x={1130} y={132} size={1.15} />
      <Cloud x={742} y={104} size={0.8} />
      <Cloud x={1010} y={218} size={0.7} />
      <Cloud x={-430} y={176} size={0.9} />
      <Cloud x={-820} y={120} size={1.1} />
      <path
        d="M846 196q9-10 18 0q9-10 18 0M894 168q7-8 14 0q7-8 14 0M812 158q6-7 12 0q6-7 12 0"
        fill="none"
        stroke="var(--scene-tree)"
        strokeWidth="3"
        strokeLinecap="round"
      />

      <path
        d={`M${LEFT} 400C-900 360-700 430-420 400S-120 448 0 418C180 372 330 396 500 376S840 290 1010 322s270 26 430-16V${HEIGHT}H${LEFT}Z`}
        fill="var(--scene-far)"
      />
      <g transform="translate(742 352)">
        <path d="M-10 0l4-48H6L10 0z" fill="var(--scene-wall)" />
        <path d="M-8-46a8 8 0 0 1 16 0z" fill="var(--scene-roof)" />
        <g className="origin-[0_-50px] animate-[spin_24s_linear_infinite] motion-reduce:animate-none">
          {[18, 108, 198, 288].map((angle) => (
            <path
              key={angle}
              transform={`translate(0 -50) rotate(${angle})`}
              d="M0 0l5-36H-5z"
              fill="var(--scene-cloud)"
            />
          ))}
        </g>
      </g>
      <path
        d={`M${LEFT} 470C-860 420-640 480-400 452S-120 474 0 452C210 414 420 440 620 410S1020 352 1200 384s160 8 240-6V${HEIGHT}H${LEFT}Z`}
        fill="var(--scene-mid)"
      />
      <Poplar x={884} y={384} size={0.7} />
      <Poplar x={906} y={382} size={0.92} />
      <Poplar x={928} y={380} size={0.76} />
      <Tree x={1070} y={384} size={0.9} />
      <Barn />
      <Tree x={1310} y={394} size={1.15} />
      <Tree x={1352} y={394} size={0.85} />
      <Tree x={540} y={428} size={0.8} />
      <Tree x={574} y={424} size={0.6} />
      <Tree x={168} y={446} size={0.75} />
      <Tree x={-330} y={462} size={0.95} />
      <Tree x={-374} y={458} size={0.7} />
      <Poplar x={-706} y={460} size={0.8} />
      <Poplar x={-684} y={462} size={0.95} />
      <Tree x={-960} y={458} size={0.85} />

      <Rows
        id="hero-wheat"
        field={`M${LEFT} 500C-800 440-260 508 0 474C260 440 470 448 700 420L560 ${HEIGHT}H${LEFT}Z`}
        x={690}
        y={412}
        leftRows={90}
        ground="var(--scene-wheat)"
        row="var(--scene-soil)"
      />
      <Rows
        id="hero-soil"
        field={`M692 421C760 410 840 402 930 400L900 ${HEIGHT}H520Z`}
        x={850}
        y={396}
        ground="var(--scene-soil)"
        row="var(--scene-crop)"
        dotted
      />
      <Rows
        id="hero-green"
        field={`M924 400C1080 392 1270 396 1440 388V${HEIGHT}H960Z`}
        x={1010}
        y={388}
        ground="var(--scene-near)"
        row="var(--scene-crop)"
      />
      {/* The lane to the gate, and the verge before it. */}
      <path
        d={`M922 400h10C950 440 1010 470 1060 ${HEIGHT}H780C850 520 916 450 922 400Z`}
        fill="var(--scene-haze)"
      />
      <path
        d={`M${LEFT} ${HEIGHT}V570C-800 540-320 612 0 584C320 556 620 572 800 588s420 24 640-6v38Z`}
        fill="var(--scene-near)"
      />
      <Gate />
      <Produce />
      <path
        d="M60 604c6-14 10-18 16-22M84 606c-2-12-6-18-12-22M300 600c4-12 8-16 15-20M318 602c0-10-4-14-9-19M560 606c5-12 9-16 15-21M580 606c-2-10-5-14-10-18M1240 612c5-12 9-16 15-21M1262 612c-2-10-5-14-10-18M1380 610c4-10 7-14 12-18"
        fill="none"
        stroke="var(--scene-crop)"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </svg>
  );
}
