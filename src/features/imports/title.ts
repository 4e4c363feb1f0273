// Guesses from an event's title whether it's a lesson, and whose. Only a title of which every word is understood is
// sure; "Maya math test" isn't, because of one word (docs/decisions/0050-a-calendar-as-the-log.md).
import { plainSpelling } from '#kernel/plain-spelling.ts'

/** The people and subjects that the account knows. */
export interface Roster {
  students: readonly string[]
  /** In a practice, the tutor is the account. */
  tutors: readonly { name: string; subjects: readonly string[] }[]
  isPractice: boolean
}

export interface Guess {
  /** 'likely' is asked about, 'unlikely' stays out unless someone says otherwise. */
  certainty: 'sure' | 'likely' | 'unlikely'
  students: string[]
  /** Undefined in a practice, or if the title doesn't say. */
  tutor: string | undefined
  subject: string | undefined
}

const words = (text: string) => new Set(text.split(' '))
/** English, German, French, Spanish and Italian, without accents. */
const FILLERS = words(
  'w with and the of for a an at in on mr mrs ms herr frau mme mit und bei von der die das im am um ' +
    'avec et le la les de du des chez con y el los las e il sr sra',
)
const LESSON = words(
  'lesson lessons session sessions tutoring tutor tutorial tuition extra trial make up makeup online zoom teams ' +
    'rescheduled moved nachhilfe unterricht stunde probestunde nachholen einzelunterricht cours lecon ' +
    'soutien clase clases leccion tutoria lezione lezioni',
)
/** Words for one subject in several languages, separated by commas. */
const SAME_SUBJECT = (
  'math maths mathe mathematics mathematik mathematiques matematicas matematica,algebra,geometry geometrie geometria,' +
  'calculus,statistics statistik,reading lesen lecture lectura,writing schreiben,english englisch anglais ingles inglese,' +
  'german deutsch allemand aleman tedesco,french franzosisch francais frances francese,' +
  'spanish spanisch espagnol espanol spagnolo,latin latein,chinese mandarin chinesisch,japanese japanisch,' +
  'italian italienisch italiano,science sciences,physics physik physique fisica,chemistry chem chemie chimie quimica chimica,' +
  'biology bio biologie biologia,history geschichte histoire historia,geography geographie erdkunde,economics,' +
  'coding programming informatik,piano klavier pianoforte,violin geige violine violon,guitar gitarre guitare guitarra,' +
  'cello,flute flote,drums schlagzeug,singing gesang,chess schach,sat,act,ap,gcse'
)
  .split(',')
  .map((names) => names.split(' '))
const SUBJECTS = new Map(SAME_SUBJECT.flatMap((names) => names.map((name) => [name, names[0]])))
/** What people write into a lesson's title if it doesn't take place. */
const CANCELED = words(
  'canceled cancelled cancel canx cxl cxld no ill sick abgesagt entfallt ausgefallen fallt krank ' +
    'annule annulee cancelado cancelada annullata skipped',
)

/** A title's words in plain letters, without numbers and possessives. */
function wordsOf(text: string): string[] {
  const plain = plainSpelling(text).replaceAll(/'s\b/g, '').replaceAll("'", '')
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/^\p{N}+$/u.test(word))
}

/** "Maya math?" wasn't certain when it was written. */
const isQuestion = (title: string) => title.includes('?')

/** The same for titles that differ only in the order of words, in numbers or in "with". */
export function groupKey(title: string): string {
  const kept = wordsOf(title).filter((word) => !FILLERS.has(word))
  return [...new Set([...kept, ...(isQuestion(title) ? ['?'] : [])])].sort().join(' ')
}

interface Named {
  name: string
  words: string[]
}

interface Match {
  person: Named
  /** The title's words that name this person. */
  covered: string[]
}

/**
 * The people whom the words name. Whoever fits more words comes first: "Amelia Price" is that Amelia and not another
 * one. If several fit equally well, none of them does, and `isAmbiguous`.
 */
function peopleIn(title: readonly string[], people: readonly Named[], mustHaveFirst: boolean) {
  const covers = ({ words: [first = '', ...more] }: Named) => {
    const isNamed = title.includes(first) || (!mustHaveFirst && more.some((word) => title.includes(word)))
    const isInitial = (word: string) => word.length === 1 && more.some((name) => name.startsWith(word))
    return isNamed ? title.filter((word) => word === first || more.includes(word) || isInitial(word)) : []
  }
  const matches = people
    .map((person): Match => ({ person, covered: covers(person) }))
    .filter(({ covered }) => covered.length > 0)
    .toSorted((one, other) => other.covered.length - one.covered.length)
  const found: Match[] = []
  let isAmbiguous = false
  for (const match of matches) {
    const first = mustHaveFirst ? match.person.words[0] : undefined
    const taken = new Set(found.flatMap(({ covered }) => covered))
    const fresh = match.covered.filter((word) => !taken.has(word))
    if (fresh.length === 0 || (first !== undefined && taken.has(first))) continue
    const rivals = matches.filter(
      (other) =>
        other.covered.length === match.covered.length && String(other.covered) === String(match.covered),
    )
    if (rivals.length > 1) isAmbiguous = true
    else found.push(match)
  }
  return { found, isAmbiguous, covered: new Set(matches.flatMap(({ covered }) => covered)) }
}

/**
 * Whether a word of a title is one of a subject's, in another language or shortened: "Klavier" or "chem". Longer ones
 * aren't: "Mathearbeit" is a test.
 */
function isSubjectWord(word: string, subject: Subject): boolean {
  const same = SUBJECTS.get(word)
  return subject.words.some(
    (one) =>
      one === word ||
      (same !== undefined && SUBJECTS.get(one) === same) ||
      (word.length >= 4 && one.startsWith(word)),
  )
}

const named = (name: string): Named => ({ name, words: wordsOf(name).filter((word) => !FILLERS.has(word)) })

interface Known extends Omit<Roster, 'students' | 'tutors'> {
  students: Named[]
  tutors: (Named & { subjects: Subject[] })[]
}

interface Subject {
  name: string
  words: string[]
}

/** Returns what guesses from titles, for one account. */
export function guesser(roster: Roster): (title: string, count: number, minutes: number) => Guess {
  const known: Known = {
    isPractice: roster.isPractice,
    students: roster.students.map(named),
    tutors: roster.tutors.map(({ name, subjects }) => ({
      ...named(name),
      subjects: subjects.map((subject) => ({ name: subject, words: wordsOf(subject) })),
    })),
  }
  return (title, count, minutes) => guessOf(title, known, count, minutes)
}

/** What a title's words say. */
interface Understood {
  words: string[]
  students: Named[]
  tutor: Named | undefined
  subject: Subject | undefined
  says: Record<'student' | 'tutor' | 'subject' | 'lesson', boolean>
  /** Whether each word says one thing. */
  isClear: boolean
  hasFullNames: boolean
}

function understood(title: string, known: Known): Understood {
  const words = wordsOf(title).filter((word) => !FILLERS.has(word))
  const students = peopleIn(words, known.students, true)
  const tutors = peopleIn(known.isPractice ? [] : words, known.tutors, false)
  const [tutor] = tutors.found.map(({ person }) => person)
  const subject = subjectIn(words, known, tutor?.name)
  const isSubject = (word: string) =>
    SUBJECTS.has(word) || (subject !== undefined && isSubjectWord(word, subject))
  const readings = words.map((word) => ({
    people: Number(students.covered.has(word)) + Number(tutors.covered.has(word)),
    isKnown: isSubject(word) || LESSON.has(word),
  }))
  const teaching = known.tutors.filter(({ subjects }) => subjects.some((one) => isTaught(words, one)))
  return {
    words,
    students: students.found.map(({ person }) => person),
    tutor: tutors.found.length > 0 ? onlyOne(tutors.found)?.person : onlyOne(teaching),
    subject,
    says: {
      student: students.found.length > 0 || students.isAmbiguous,
      tutor: tutors.found.length > 0,
      subject: words.some(isSubject),
      lesson: words.some((word) => LESSON.has(word)),
    },
    isClear:
      !students.isAmbiguous &&
      !tutors.isAmbiguous &&
      readings.every(({ people, isKnown }) => people === 1 || (people === 0 && isKnown)),
    hasFullNames: students.found.every(({ covered }) => covered.filter((word) => word.length > 1).length > 1),
  }
}

/**
 * @param count how often events with this title took place
 * @param minutes how long they usually were
 */
function guessOf(title: string, known: Known, count: number, minutes: number): Guess {
  const read = understood(title, known)
  const { says } = read
  const isLessonLong = minutes >= SHORTEST && minutes <= LONGEST
  const certainty =
    isLessonLong && !isQuestion(title) && isSure(read, known.isPractice, count)
      ? 'sure'
      : isLikely(read, known.isPractice, count)
        ? 'likely'
        : 'unlikely'
  const students = says.student ? read.students : known.students.filter((_, __, all) => all.length === 1)
  return {
    certainty,
    students: students.map(({ name }) => name),
    tutor: read.tutor?.name ?? (says.tutor ? undefined : onlyOne(known.tutors)?.name),
    subject: read.subject?.name,
  }
}

/** Minutes that a lesson usually takes at least and at most. */
const [SHORTEST, LONGEST] = [15, 240]

function isSure(
  { says, isClear, tutor, hasFullNames }: Understood,
  isPractice: boolean,
  count: number,
): boolean {
  if (!isClear || !says.student) return false
  if (isPractice) return says.subject || says.lesson || (hasFullNames && count >= 3)
  // "Leo piano" may be a lesson at school.
  return tutor !== undefined && (says.tutor || says.lesson)
}

function isLikely({ words, says, isClear }: Understood, isPractice: boolean, count: number): boolean {
  if (words.some((word) => CANCELED.has(word))) return false
  const kinds = Object.values(says).filter(Boolean).length
  if (kinds > 1 || (isClear && kinds > 0 && !says.lesson)) return true
  if (says.lesson || says.subject) return count > 1
  return isPractice && says.student && count > 3
}

function onlyOne<One>(people: readonly One[]): One | undefined {
  return people.length === 1 ? people[0] : undefined
}

function isTaught(all: readonly string[], subject: Subject): boolean {
  return all.some((word) => isSubjectWord(word, subject))
}

/** The account's subject; the named tutor's, if that tutor teaches it. */
function subjectIn(
  all: readonly string[],
  { tutors }: Known,
  tutor: string | undefined,
): Subject | undefined {
  return tutors
    .toSorted((one, other) => Number(other.name === tutor) - Number(one.name === tutor))
    .flatMap(({ subjects }) => subjects)
    .find((subject) => isTaught(all, subject))
}
