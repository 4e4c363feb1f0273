// A family and its tutor with the longest possible names and amounts, and with data for everything a screen
// can show.
import type { Page } from '@playwright/test'
import { accept, addPastClasses, dayFromToday, LONG_NAME, LONG_WORD, post, read, send } from './screens.ts'

export async function fillFamily(page: Page, email: string) {
  await send(page, 'patch', 'me', { full_name: LONG_WORD })
  const ids: { student_id: string; tutor_id: string }[] = []
  for (const name of [LONG_NAME, LONG_WORD]) {
    const child = await post(page, 'students', { name, grade: name, notes: `${name} ${LONG_WORD}` })
    const tutor = await post(page, 'tutors', {
      name,
      email: name === LONG_NAME ? email : `${LONG_WORD.slice(0, 50)}@${LONG_WORD.slice(0, 50)}.example.com`,
      phone: '+49 (0) 151 2345 6789 extension 123456',
      hourly_rate: 9999.99,
      subjects: [LONG_NAME, LONG_WORD],
    })
    ids.push({ student_id: child.id, tutor_id: tutor.id })
  }
  const today = await dayFromToday(page, 0)
  const sessions: { id: string }[] = []
  for (const [index, who] of [...ids, ...ids].entries())
    for (const date of [today, `${today.slice(0, 8)}01`])
      sessions.push(
        await post(page, 'sessions', {
          ...who,
          date,
          duration: 24 - index / 4,
          subject: LONG_WORD,
          notes: LONG_WORD,
        }),
      )
  for (const { tutor_id } of ids) {
    await post(page, 'payments', { tutor_id, date: today, amount: 123456.78, note: LONG_WORD })
    await post(page, 'payments', { tutor_id, date: today, amount: 99999.99, kind: 'hours', hours: 10 })
  }
  await addPastClasses(page, { ...ids[0], subject: LONG_WORD } as (typeof ids)[0], 2)
  await post(page, 'schedules', {
    ...ids[1],
    day_of_week: 2,
    start_time: '16:30',
    duration: 1,
    start_date: today,
    hourly_rate: 9999.99,
    subject: LONG_NAME,
  })
  await post(page, 'connections', { tutor_id: ids[0]?.tutor_id })
  return { ids, sessions, today }
}

/** The tutor accepts the family's request to connect, logs more sessions, and sends one back. */
export async function fillPractice(
  page: Page,
  { sessions, today }: Pick<Awaited<ReturnType<typeof fillFamily>>, 'sessions' | 'today'>,
) {
  await send(page, 'patch', 'me', { full_name: LONG_NAME })
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const own: { student_id: string; tutor_id: string }[] = []
  for (const name of [LONG_NAME, LONG_WORD]) {
    const student = await post(page, 'students', { name, grade: name, notes: LONG_WORD })
    own.push({ student_id: student.id, tutor_id: self?.id ?? '' })
  }
  for (const who of own)
    await post(page, 'sessions', {
      ...who,
      date: today,
      duration: 24,
      hourly_rate: 9999.99,
      subject: LONG_WORD,
    })
  for (const { student_id } of own)
    await post(page, 'payments', { student_id, date: today, amount: 123456.78, note: LONG_NAME })
  // Sessions that both sides logged before connecting have to be compared. Later ones wait for the family.
  await accept(page, { [LONG_NAME.split(' ')[0] ?? '']: own[0]?.student_id ?? '' })
  await post(page, 'sessions', {
    ...own[0],
    date: today,
    duration: 23.75,
    subject: LONG_WORD,
    is_another: true,
  })
  await addPastClasses(page, { ...own[1], subject: LONG_WORD } as (typeof own)[0], 2)
  await send(page, 'post', `sessions/${sessions[4]?.id}/dispute`, { note: LONG_WORD }, { 'if-match': '"1"' })

  const [connection] = await read<{ id: string }[]>(page, 'connections')
  const compared = `/same-lessons?connection=${connection?.id}`
  return { own, compared }
}
