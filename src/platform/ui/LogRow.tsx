import type { ReactNode } from 'react'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { openedBy, type RowLink, RowTitle } from './RowLink.tsx'

interface LogRowProps {
  day: CalendarDay
  /** HH:MM; shown in the margin instead of the day, in a list of a single day. */
  time?: string
  title: string
  /** Opens the row's item. The whole row becomes clickable. */
  link?: RowLink | undefined
  detail: ReactNode
  note?: ReactNode
  /** Omitted for people who can't see amounts. */
  amount?: string
  action?: ReactNode
  /** A box that selects the row, in front of its day. */
  tick?: ReactNode
}

export function LogRow({ day, time, title, link, detail, note, amount, action, tick }: LogRowProps) {
  return (
    <li className={`log ${tick ? 'log-ticked' : ''}`} {...openedBy(link)}>
      {tick}
      {time === undefined ? <DayMargin day={day} /> : <TimeMargin time={time} />}
      <div className="m">
        <RowTitle title={title} link={link} />
        <div className="s">{detail}</div>
        {note && <div className="mt-1">{note}</div>}
      </div>
      <div className="a">
        {amount !== undefined && <b>{amount}</b>}
        {action && <div className="log-action">{action}</div>}
      </div>
    </li>
  )
}

export function DayMargin({ day }: { day: CalendarDay }) {
  return (
    <div className="d">
      <div className="grid justify-items-center">
        <b>{formatDay(day, { day: 'numeric' })}</b>
        <span>{formatDay(day, { weekday: 'short' })}</span>
        <span className="sr-only">{formatDay(day)}</span>
      </div>
    </div>
  )
}

function TimeMargin({ time }: { time: string }) {
  const [clock = '', half = ''] = formatTime(time).split(' ')
  return (
    <div className="d">
      <div className="grid justify-items-center">
        <b className="text-[1.0625rem]!">{clock}</b> <span>{half}</span>
      </div>
    </div>
  )
}
