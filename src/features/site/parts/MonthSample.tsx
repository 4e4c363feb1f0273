import { BOTH_SIDES, Ticks } from '#platform/ui/Ticks.tsx'

const SESSIONS = [
  {
    day: '14',
    weekday: 'Sat',
    what: 'Maya, Chemistry',
    who: 'Samuel Adeyemi, 2.25 h',
    amount: '$135.00',
    isVerified: true,
  },
  {
    day: '17',
    weekday: 'Tue',
    what: 'Maya, Algebra II',
    who: 'Ingrid Lindqvist, 1.5 h',
    amount: '$67.50',
    isVerified: true,
  },
  {
    day: '19',
    weekday: 'Thu',
    what: 'Theo, Reading',
    who: 'Ingrid Lindqvist, 1 h',
    amount: '$45.00',
    isVerified: true,
  },
  {
    day: '20',
    weekday: 'Fri',
    what: 'Maya, Chemistry',
    who: 'Samuel Adeyemi, 2 h',
    amount: '$110.00',
    isVerified: false,
  },
]

/** An example month with made-up people. */
export function MonthSample() {
  return (
    <figure aria-label="A month in Tutorlog with sample data: four sessions, three agreed by both sides, one waiting for the tutor">
      <div className="card overflow-hidden rounded-xl! shadow-pop">
        <div className="flex items-center justify-between px-5 pt-4 pb-3">
          <p className="disp text-[1.25rem]">November</p>
          <p className="text-small text-ink-2">Maya and Theo</p>
        </div>
        <ul>
          {SESSIONS.map(({ day, weekday, what, who, amount, isVerified }) => (
            <li
              key={day}
              className="grid min-h-[68px] grid-cols-[max(52px,3rem)_1fr_auto] items-stretch border-t border-line"
            >
              <div className="grid content-center justify-items-center border-r-[1.5px] border-margin leading-tight">
                <b className="disp num text-[1.25rem]">{day}</b>
                <span className="text-[.8125rem] text-ink-3">{weekday}</span>
              </div>
              <div className="min-w-0 self-center py-2.5 pr-2 pl-3.5">
                <p className="leading-snug font-semibold">{what}</p>
                <p className="text-small text-ink-2">{who}</p>
              </div>
              <div className="self-center pr-4 text-right">
                <p className="num font-semibold">{amount}</p>
                <span className="mt-0.5 inline-flex">
                  <Ticks by={isVerified ? BOTH_SIDES : ['parent']} />
                  <span className="sr-only">{isVerified ? 'Agreed' : 'Waiting for tutor'}</span>
                </span>
              </div>
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap items-end justify-between gap-x-3 border-t border-line bg-sunken px-5 py-4">
          <div className="text-small text-ink-2">
            <p>Agreed so far</p>
            <p>1 waiting for tutor</p>
          </div>
          <p className="disp num text-[2rem] leading-none whitespace-nowrap">$247.50</p>
        </div>
      </div>
    </figure>
  )
}
