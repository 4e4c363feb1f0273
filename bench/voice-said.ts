// Labelled sentences in a short form, one a line, under the family that they are said in:
//   = 2026-06-17 | Maya, Ethan | David Chen 45, Sarah Johnson -
//   1 2 -1 1.5 60 | maya had an hour and a half with sarah yesterday at sixty an hour
//   no | maya has a maths test on friday
// The numbers are the child, the tutor, the day (days from today, or a date), hours and dollars an hour; x2 behind them says how many sessions.
// '1?' is somebody whom nobody names and who is the only one on the list: filled in or left empty, both are right.
import type { Labelled } from './voice-score.ts'

/** The sentences of such a text with their labels. */
export function saidIn(text: string, name: string): Labelled[] {
  let family: Pick<Labelled, 'today' | 'children' | 'tutors'> = { today: '', children: [], tutors: [] }
  return text.split('\n').flatMap((line, index): Labelled[] => {
    if (line.startsWith('= ')) family = familyOf(line.slice(2))
    if (line === '' || /^[#=]/.test(line)) return []
    const [label = '', transcript = ''] = line.split(/ \| (.*)/s)
    const [child = '-', tutor = '-', day = '-', hours = '-', rate = '-', count] =
      label === 'no' ? [] : label.split(' ')
    return [
      {
        id: `${name}-${index + 1}`,
        ...family,
        transcript,
        tags: label === 'no' ? ['non-session'] : [],
        expect: {
          ...whoIs('child', 'c', child),
          ...whoIs('tutor', 't', tutor),
          date: dayOf(day, family.today),
          duration: numberOf(hours),
          hourly_rate: numberOf(rate),
          ...(count ? { sessions: Array.from({ length: Number(count.slice(1)) }) } : {}),
        },
      },
    ]
  })
}

function familyOf(line: string): Pick<Labelled, 'today' | 'children' | 'tutors'> {
  const [today = '', children = '', tutors = ''] = line.split('|').map((part) => part.trim())
  const listed = (names: string): string[] => (names === '' ? [] : names.split(', '))
  return {
    today,
    children: listed(children).map((name, index) => ({ id: `c${index + 1}`, name })),
    tutors: listed(tutors).map((tutor, index) => ({
      id: `t${index + 1}`,
      name: tutor.replace(/ \S+$/, ''),
      hourly_rate: numberOf(/\S+$/.exec(tutor)?.[0] ?? '-'),
    })),
  }
}

function whoIs<Role extends 'child' | 'tutor'>(
  role: Role,
  letter: string,
  said: string,
): Pick<Labelled['expect'], `${Role}Id`> {
  const id = said === '-' ? null : `${letter}${said.replace('?', '')}`
  return { [`${role}Id`]: id, ...(said.endsWith('?') ? { [`${role}Id_accept`]: [null, id] } : {}) } as Pick<
    Labelled['expect'],
    `${Role}Id`
  >
}

function dayOf(day: string, today: string): string | null {
  if (day === '-') return null
  if (/^\d{4}-/.test(day)) return day
  if (/^\d\d-\d\d$/.test(day)) return `${today.slice(0, 5)}${day}`
  return new Date(Date.parse(`${today}T00:00:00Z`) + Number(day) * 86_400_000).toISOString().slice(0, 10)
}

function numberOf(text: string): number | null {
  return text === '-' ? null : Number(text)
}
