// Labelled sentences made from frames: as many as wanted, the same ones for the same seed.
import type { Labelled } from './voice-score.ts'

type Random = <Item>(items: readonly Item[]) => Item

interface Family {
  children: Labelled['children']
  tutors: Labelled['tutors']
}

/** Titles and families are how people speak of a tutor; the first name alone is the other way. */
const TUTORS: [string, string[], number | null][] = [
  ['David Chen', ['mister chen', 'david', 'david chen', 'mr. chen'], 45],
  ['Sarah Johnson', ['sarah', 'miss johnson', 'sarah johnson', 'ms. johnson'], 60],
  ['Dr. Raj Patel', ['doctor patel', 'raj', 'dr. patel', 'dr patel'], 80],
  ['Elena Rodriguez', ['elena', 'missus rodriguez', 'elena rodriguez'], 55],
  ['Yuki Tanaka', ['yuki', 'miss tanaka', 'yuki tanaka'], 65],
  ['Mrs. Gupta', ['missus gupta', 'mrs. gupta', 'mrs gupta'], 45],
  ['Robert Nguyen', ['robert', 'bob', 'rob nguyen', 'mister nguyen'], 50],
  ['Elizabeth Moore', ['liz', 'elizabeth', 'beth moore', 'miss moore'], 52.5],
  ['Chidi Okonkwo', ['chidi', 'mister okonkwo', 'chidi okonkwo'], null],
  ['Grace Kim', ['grace kim', 'miss kim', 'grace'], 48],
  ['Tom Baker', ['tom', 'tom baker', 'mister baker'], 40],
  ['Michelle Lee', ['michelle', 'miss lee', 'michelle lee'], 42.5],
  ['Dmitri Volkov', ['dmitri', 'mister volkov', 'dmitri volkov'], 70],
]
const CHILDREN: [string, string[]][] = [
  ['Maya', ['maya']],
  ['Ethan', ['ethan']],
  ['Siobhan', ['siobhan']],
  ['Katherine', ['katherine', 'katie', 'kate']],
  ['William', ['will', 'billy', 'william']],
  ['Aarav', ['aarav']],
  ['Sofia', ['sofia']],
  ['Lucas', ['lucas']],
  ['Noah', ['noah']],
  ['Hannah', ['hannah']],
  ['Oliver', ['oliver', 'ollie']],
  ['Benjamin', ['ben', 'benny', 'benjamin']],
  ['Priyanka Rao', ['priyanka', 'priyanka rao']],
  ['Isabella', ['bella', 'isabella', 'izzy']],
  ['Mateo', ['mateo']],
  ['Grace', ['grace']],
  ['Jayden', ['jayden']],
  ['Zoe', ['zoe']],
]
const SUBJECTS = [
  'math',
  'algebra',
  'geometry',
  'reading',
  'spanish',
  'french',
  'piano',
  'violin',
  'chemistry',
  'physics',
  'biology',
  'calculus',
  'essay writing',
  'history',
  'english',
  'statistics',
  'science',
  'chess',
  'SAT prep',
  'world history',
]
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const NTH = [
  'zeroth',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
]
const REMARKS = [
  'she struggled with the last part',
  'he did really well',
  'they went over the homework',
  'she was a bit tired',
  'he has a test next week',
  'we should bring the blue folder next time',
  'he was ten minutes late',
  'she got nine out of ten right',
  'needs more practice at home',
  'he seemed more confident than last time',
  'they finished chapter four',
]

const words = (number: number): string =>
  number < 20
    ? (ONES[number] ?? '')
    : number < 100
      ? `${TENS[Math.floor(number / 10)]}${number % 10 ? ` ${ONES[number % 10]}` : ''}`
      : `${number === 100 ? 'a' : ONES[Math.floor(number / 100)]} hundred${number % 100 ? ` ${words(number % 100)}` : ''}`
const nth = (number: number): string =>
  number <= 20
    ? (NTH[number] ?? '')
    : number === 30
      ? 'thirtieth'
      : `${TENS[Math.floor(number / 10)]} ${NTH[number % 10]}`
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** A generator of equally likely choices (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return (items) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return items[((mixed ^ (mixed >>> 14)) >>> 0) % items.length] as (typeof items)[number]
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

function someDay(pick: Random, today: string): { text: string; date: string | null } {
  const back = pick(range(1, 7))
  const name = WEEKDAYS[weekday(shifted(today, -back))] ?? ''
  const far = shifted(today, -pick(range(1, 60)))
  const [, month = 0, date = 0] = far.split('-').map(Number)
  const monthName = MONTHS[month - 1] ?? ''
  const monday = shifted(today, -((weekday(today) + 6) % 7))
  const inLastWeek = pick(range(0, 6))
  return pick([
    () => ({ text: 'today', date: today }),
    () => ({ text: 'this afternoon', date: today }),
    () => ({ text: 'this morning', date: today }),
    () => ({ text: 'yesterday', date: shifted(today, -1) }),
    () => ({ text: 'yesterday', date: shifted(today, -1) }),
    () => ({ text: 'last night', date: shifted(today, -1) }),
    () => ({ text: 'yesterday evening', date: shifted(today, -1) }),
    () => ({ text: 'the day before yesterday', date: shifted(today, -2) }),
    () => ({ text: `${words(back)} day${back === 1 ? '' : 's'} ago`, date: shifted(today, -back) }),
    () => ({ text: 'a week ago', date: shifted(today, -7) }),
    () => ({ text: 'two weeks ago', date: shifted(today, -14) }),
    () => ({ text: `on ${name}`, date: shifted(today, -back) }),
    () => ({ text: `on ${name}`, date: shifted(today, -back) }),
    () => ({ text: `last ${name}`, date: shifted(today, -back) }),
    () => ({ text: name, date: shifted(today, -back) }),
    () => ({ text: `this past ${name}`, date: shifted(today, -back) }),
    () => ({ text: `the ${name} before last`, date: shifted(today, -back - 7) }),
    () => ({ text: `on ${name} afternoon`, date: shifted(today, -back) }),
    () => ({ text: `${WEEKDAYS[(inLastWeek + 1) % 7]} last week`, date: shifted(monday, inLastWeek - 7) }),
    () => ({ text: `last week on ${WEEKDAYS[(inLastWeek + 1) % 7]}`, date: shifted(monday, inLastWeek - 7) }),
    () => ({ text: `on ${monthName} ${nth(date)}`, date: far }),
    () => ({ text: `${monthName} ${nth(date)}`, date: far }),
    () => ({ text: `on the ${nth(date)} of ${monthName}`, date: far }),
    () => ({ text: `on ${month}/${date}`, date: far }),
    () => ({ text: `on ${monthName} ${date}`, date: far }),
    () => ({ text: `on ${WEEKDAYS[weekday(far)]} ${monthName} ${nth(date)}`, date: far }),
    () => {
      const near = shifted(today, -pick(range(0, 26)))
      return { text: `on the ${nth(Number(near.slice(8)))}`, date: near }
    },
    () => ({ text: '', date: null }),
  ])()
}

function someTime(pick: Random): { text: string; isRange?: boolean; hours: number } {
  const hours = pick([1, 2, 3])
  const start = pick(range(1, 9))
  const end = start + hours
  return pick<() => { text: string; isRange?: boolean; hours: number }>([
    () => ({ text: hours === 1 ? 'an hour' : `${words(hours)} hours`, hours }),
    () => ({ text: hours === 1 ? 'one hour' : `${words(hours)} hours`, hours }),
    () => ({ text: `${hours} hour${hours === 1 ? '' : 's'}`, hours }),
    () => ({ text: 'an hour', hours: 1 }),
    () => ({
      text: hours === 1 ? 'an hour and a half' : `${words(hours)} and a half hours`,
      hours: hours + 0.5,
    }),
    () => ({
      text: hours === 1 ? 'an hour and a quarter' : `${words(hours)} hours and a quarter`,
      hours: hours + 0.25,
    }),
    () => ({ text: 'half an hour', hours: 0.5 }),
    () => ({ text: 'a half hour', hours: 0.5 }),
    () => ({ text: 'forty five minutes', hours: 0.75 }),
    () => ({ text: 'three quarters of an hour', hours: 0.75 }),
    () => ({ text: '45 minutes', hours: 0.75 }),
    () => ({ text: 'ninety minutes', hours: 1.5 }),
    () => ({ text: '90 min', hours: 1.5 }),
    () => ({
      text: `${words(hours)} hour${hours === 1 ? '' : 's'} and fifteen minutes`,
      hours: hours + 0.25,
    }),
    () => ({
      text: `${words(hours)} hour${hours === 1 ? '' : 's'} and forty five minutes`,
      hours: hours + 0.75,
    }),
    () => ({ text: '1.5 hours', hours: 1.5 }),
    () => ({ text: 'a couple of hours', hours: 2 }),
    () => ({ text: 'about an hour', hours: 1 }),
    () => ({ text: `${hours}.5 hrs`, hours: hours + 0.5 }),
    () => ({ text: 'an hour thirty', hours: 1.5 }),
    () => ({ text: `from ${words(start)} to ${words(end)}`, hours, isRange: true }),
    () => ({
      text: `from ${words(start)} thirty to ${words(end)} fifteen`,
      hours: hours - 0.25,
      isRange: true,
    }),
    () => ({ text: `from ${start} to ${end}:30`, hours: hours + 0.5, isRange: true }),
    () => ({ text: `${start}:15 to ${end}:00`, hours: hours - 0.25, isRange: true }),
    () => ({ text: `between ${words(start)} and ${words(end)} thirty`, hours: hours + 0.5, isRange: true }),
    () => ({ text: `from half past ${words(start)} until ${words(end)}`, hours: hours - 0.5, isRange: true }),
  ])()
}

function someMoney(pick: Random, hours: number): { text: string; rate: number | null } {
  const dollars = pick([25, 30, 32, 35, 40, 45, 48, 50, 55, 60, 65, 70, 75, 80, 85, 90, 110, 120])
  const total = dollars * hours
  const sum = Number.isInteger(total) && total < 1000 ? words(total) : `$${total.toFixed(2)}`
  return pick<() => { text: string; rate: number | null }>([
    () => ({ text: '', rate: null }),
    () => ({ text: '', rate: null }),
    () => ({ text: '', rate: null }),
    () => ({ text: '', rate: null }),
    () => ({ text: `at ${words(dollars)} dollars an hour`, rate: dollars }),
    () => ({ text: `at ${words(dollars)} an hour`, rate: dollars }),
    () => ({ text: `at $${dollars} an hour`, rate: dollars }),
    () => ({ text: `$${dollars}/hr`, rate: dollars }),
    () => ({ text: `for ${words(dollars)} dollars per hour`, rate: dollars }),
    () => ({ text: `the rate was ${words(dollars)}`, rate: dollars }),
    () => ({ text: `we paid ${sum} in total`, rate: dollars }),
    () => ({ text: `it was ${sum}${sum.startsWith('$') ? '' : ' dollars'} altogether`, rate: dollars }),
    () => ({ text: 'no charge', rate: 0 }),
    () => ({ text: 'for free', rate: 0 }),
    () => ({ text: 'at the usual rate', rate: null }),
    () => ({ text: `at ${words(dollars)} fifty an hour`, rate: dollars + 0.5 }),
  ])()
}

const FRAMES = [
  '{C} had {T} of {S} with {P} {D} {M}',
  '{D} {C} had {T} of {S} with {P} {M}',
  '{P} taught {C} {S} for {T} {D} {M}',
  '{C} worked with {P} on {S} for {T} {D} {M}',
  '{P} worked with {C} {D} for {T} {M} on {S}',
  '{C} did {T} of {S} with {P} {D} {M}',
  'log {T} of {S} for {C} with {P} {D} {M}',
  'so {D} {P} came over and did {T} of {S} with {C} {M}',
  '{C} and {P} met for {T} {D} to work on {S} {M}',
  '{S} with {P} for {C} {D} {T} {M}',
  '{D} was {C} with {P} {T} of {S} {M}',
  'my kid {C} had a {S} lesson with {P} {D} for {T} {M}',
  '{P} tutored {C} in {S} {D} for {T} {M}',
  '{C} finished {T} of {S} with {P} {D} {M}',
  'hi i want to log a session for {C} it was with {P} {D} for {T} {M}',
  "{C}'s {S} lesson with {P} {D} was {T} {M}",
  'can you add a session {C} {P} {D} {T} {M}',
  'child {C} tutor {P} {D} {T} {M}',
  'okay so {C} saw {P} {D} and they did {T} of {S} {M}',
  '{P} and {C} {S} {D} {T} {M}',
  '{C} got {T} of help in {S} from {P} {D} {M}',
  'we had {P} here {D} for {C} for {T} {M}',
  '{C} just wrapped up {T} with {P} {M}',
  '{C} spent {T} with {P} {D} {M}',
  '{P} did {S} with {C} for {T} {D} {M}',
  '{C} {P} {S} {T} {D} {M}',
  'i need to log that {C} had {P} {D} for {T} {M}',
  'um {C} had uh {T} with {P} {D} {M}',
]
const RANGE_FRAMES = [
  '{C} had {S} with {P} {D} {T} {M}',
  '{D} {P} worked with {C} {T} {M}',
  '{P} tutored {C} {D} {T} {M}',
  '{C} met {P} {D} {T} for {S} {M}',
]

/** Sessions with their labels. */
export function sessionCases(count: number, seed: number): Labelled[] {
  const pick = randomFrom(seed)
  return range(1, count).map((number) => {
    const today = shifted('2025-01-01', pick(range(0, 1200)))
    const { family, child, tutor, childName, tutorName } = someFamily(pick)
    const time = someTime(pick)
    const money = someMoney(pick, time.hours)
    let day = someDay(pick, today)
    const frame = pick(time.isRange ? RANGE_FRAMES : FRAMES)
    if (!frame.includes('{D}')) day = { text: '', date: null }
    if (day.date === null && /^\{D\}|so \{D\}|\{D\} was/.test(frame))
      day = { text: 'yesterday', date: shifted(today, -1) }
    let text = frame
      .replace('{C}', childName)
      .replace('{P}', tutorName)
      .replace('{S}', pick(SUBJECTS))
      .replace('{T}', time.text)
      .replace('{D}', day.text)
      .replace('{M}', money.text)
      .replace(/ +/g, ' ')
      .replace('for from', 'from')
      .trim()
    let hours = time.hours
    let { date } = day
    if (frame.includes('just wrapped up')) date = today
    // Some take back what they said, at the end.
    const fix = pick([0, 0, 0, 0, 0, 0, 0, 1, 2])
    if (fix === 1 && !time.isRange && money.rate === null) {
      hours = pick([0.5, 0.75, 1.5, 2].filter((other) => other !== time.hours))
      text += ` ${pick(['no wait it was', 'sorry i mean', 'actually', 'scratch that it was', 'oops i meant', 'correction'])} ${{ '0.5': 'half an hour', '0.75': 'forty five minutes', '1.5': 'an hour and a half', '2': 'two hours' }[String(hours)]}`
    } else if (fix === 2 && date !== null && !frame.includes('just')) {
      date = shifted(today, -2)
      text += ` ${pick(['no wait it was', 'sorry i mean', 'actually it was', 'i meant'])} ${pick(['two days ago', 'the day before yesterday'])}`
    } else if (pick([true, false, false])) text += `${pick([' ', '. ', ', '])}${pick(REMARKS)}`
    return {
      id: `made-${seed}-${number}`,
      today,
      ...family,
      transcript: dressed(text, pick),
      tags: [],
      expect: { childId: child, tutorId: tutor, date, duration: hours, hourly_rate: money.rate },
    }
  })
}

function someFamily(pick: Random): {
  family: Family
  child: string
  tutor: string
  childName: string
  tutorName: string
} {
  const [one, two] = [pick(CHILDREN), pick(CHILDREN)]
  const tutors = [pick(TUTORS), pick(TUTORS)].filter((tutor, index, all) => all.indexOf(tutor) === index)
  const children = one === two ? [one] : [one, two]
  const tutor = pick(tutors)
  const spoken = pick(
    tutor[1].filter((name) => !(children.some(([child]) => child === 'Grace') && name === 'grace')),
  )
  return {
    family: {
      children: children.map(([name], index) => ({ id: `c${index + 1}`, name })),
      tutors: tutors.map(([name, , rate], index) => ({ id: `t${index + 1}`, name, hourly_rate: rate })),
    },
    child: 'c1',
    tutor: `t${tutors.indexOf(tutor) + 1}`,
    childName: pick(one[1]),
    tutorName: spoken,
  }
}

/** As speech engines write it, or as people type it. */
function dressed(text: string, pick: Random): string {
  const way = pick(['plain', 'plain', 'typed', 'upper'])
  if (way === 'plain') return text.replace(/[.,](?= )/g, '').toLowerCase()
  if (way === 'upper') return pick([text, text.toUpperCase()])
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(
    /\b(maya|ethan|siobhan|katherine|katie|kate|william|billy|aarav|sofia|lucas|noah|hannah|oliver|ollie|benjamin|benny|priyanka|rao|isabella|bella|izzy|mateo|grace|jayden|zoe|david|chen|sarah|johnson|raj|patel|elena|rodriguez|yuki|tanaka|gupta|robert|nguyen|elizabeth|moore|chidi|okonkwo|kim|tom|baker|michelle|lee|dmitri|volkov|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/g,
    (name) => name.charAt(0).toUpperCase() + name.slice(1),
  )
}

const TALK = [
  'what is the weather like {D}',
  'remind me to call {P} {D}',
  '{C} has a dentist appointment {D}',
  'did {C} have a lesson with {P} {D}',
  'how much do i owe {P}',
  'how many hours did {C} do with {P} last month',
  '{P} cancelled {D}',
  "{C}'s lesson with {P} was cancelled {D}",
  'no session with {P} {D} {C} was sick',
  '{C} was sick {D}',
  'i paid {P} {A} dollars {D}',
  'pay {P} {A} dollars',
  'we watched a movie for {T} {D}',
  '{C} slept for {T} {D}',
  '{C} played soccer for {T} {D}',
  'set a timer for {T}',
  'the drive took {T} {D}',
  'call {P}',
  'delete the session from {D}',
  'change the rate of {P} to {A}',
  'show me the summary for {D}',
  '{P} said {C} is doing great',
  'please add {P} as a tutor',
  'i need a tutor for {C}',
  'thanks for watching',
  'hello hello can you hear me',
  'testing one two three',
  '{C} needs new shoes by {D}',
  "it is {C}'s birthday {D}",
  'buy milk and eggs {D}',
  '{C} practices piano every day for {T}',
  '{C} goes to {P} on mondays',
  'we had dinner with {P} {D}',
  '{P} is on vacation',
  'where is {C}',
  'tell {P} we will be late {D}',
  'the groceries were {A} dollars {D}',
  '{C} got an a on the math test {D}',
  'never mind',
  'uh',
  'i think {C} should switch from {P} to someone else',
  '{C} read a book for {T} {D}',
  '{C} did homework for {T} {D}',
  'why was {P} late {D}',
  'can we move {C} to another day',
  '{C} missed the lesson with {P} {D}',
  'schedule {T} with {P} next week',
  '{P} did not show up {D}',
  'is it going to rain {D}',
  'i have a meeting for {T} {D}',
  'we should pay {P} more',
  '{C} and a friend went to the park for {T} {D}',
  'my phone died {D} after {T}',
  'play some music for {T}',
]

/** Talk that is no session, with names, days, times and money in it. */
export function talkCases(count: number, seed: number): Labelled[] {
  const pick = randomFrom(seed)
  return range(1, count).map((number) => {
    const today = shifted('2025-01-01', pick(range(0, 1200)))
    const { family, childName, tutorName } = someFamily(pick)
    const time = someTime(pick)
    const day = someDay(pick, today).text || 'yesterday'
    const text = pick(TALK)
      .replace('{C}', childName)
      .replace('{P}', tutorName)
      .replace('{D}', day)
      .replace('{T}', time.isRange ? 'an hour' : time.text)
      .replace('{A}', words(pick([30, 45, 60, 120])))
    return {
      id: `talk-${seed}-${number}`,
      today,
      ...family,
      transcript: dressed(text, pick),
      tags: ['non-session'],
      expect: { childId: null, tutorId: null, date: null, duration: null, hourly_rate: null },
    }
  })
}
