/** How many degrees to rotate each group of five tally marks, so that they look hand-drawn. */
const LEANS = [0, -2, 1.5, 1, -1, 2, -1.5, 1, -0.5]
/** Trials with more groups than this show only the number of days. */
const MOST_GROUPS = 18

/** The trial's days as tally marks, with used days faded. */
export function Tally({ days, used }: { days: number; used: number }) {
  const groups = Math.ceil(days / 5)
  if (groups > MOST_GROUPS) return null
  return (
    <div
      className="mt-4 grid max-w-md grid-cols-9 gap-2 [&>svg]:w-full"
      role="img"
      aria-label={`${used} of ${days} trial days used`}
    >
      {Array.from({ length: groups }, (_, group) => (
        <svg key={group} className="tally" height="30" viewBox="-4 0 46 44" aria-hidden="true">
          <g transform={`rotate(${LEANS[group % LEANS.length] ?? 0} 20 22)`}>
            {['M5 4v36', 'M14 4v36', 'M23 4v36', 'M32 4v36', 'M0 34 L37 10'].map((path, at) => {
              const day = group * 5 + at
              return day < days && <path key={path} d={path} opacity={day < used ? 0.28 : 1} />
            })}
          </g>
        </svg>
      ))}
    </div>
  )
}
