// Names learned from corrections: whom a member's own words mean when they log by voice or by typing.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { requiredText } from '#kernel/text.ts'

/** How many names are kept for a member. The oldest ones go. */
export const MOST_LEARNED = 200
const MOST_AT_ONCE = 20
const LONGEST = 60

const LearnedName = z.object({
  id: z.string(),
  words: z.string(),
  /** The child or student that the words mean. Null if it's a tutor. */
  student_id: z.nullable(z.string()),
  tutor_id: z.nullable(z.string()),
  /** The person's name. */
  name: z.string(),
})
export type LearnedName = z.output<typeof LearnedName>

const words = requiredText(LONGEST, 'Send the words')
/** Words, and the child, student or tutor they mean. */
const NewName = z.union([
  z.strictObject({ words, student_id: z.uuid() }),
  z.strictObject({ words, tutor_id: z.uuid() }),
])
export type NewName = z.output<typeof NewName>

export const ListLearnedNames = endpoint({
  operation: 'ListLearnedNames',
  summary: 'List the names learned from your corrections',
  method: 'GET',
  path: '/api/v1/learned-names',
  access: ['parent', 'tutor', 'admin'],
  input: z.strictObject({}),
  output: z.object({ names: z.array(LearnedName) }),
})

export const LearnNames = endpoint({
  operation: 'LearnNames',
  summary: 'Learn whom words mean; leaves out names of people on your lists',
  method: 'POST',
  path: '/api/v1/learned-names',
  access: ['parent', 'tutor', 'admin'],
  isOwn: true,
  limit: { hits: 60, seconds: 60 },
  input: z.strictObject({
    names: z.array(NewName).check(z.maxLength(MOST_AT_ONCE, `Send at most ${MOST_AT_ONCE} names`)),
  }),
  output: z.object({ names: z.array(LearnedName) }),
})

export const ForgetName = endpoint({
  operation: 'ForgetName',
  summary: 'Delete a learned name',
  method: 'DELETE',
  path: '/api/v1/learned-names/:id',
  access: ['parent', 'tutor', 'admin'],
  isOwn: true,
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})

export const ForgetNames = endpoint({
  operation: 'ForgetNames',
  summary: 'Delete all learned names',
  method: 'DELETE',
  path: '/api/v1/learned-names',
  access: ['parent', 'tutor', 'admin'],
  isOwn: true,
  isFree: true,
  input: z.strictObject({}),
  output: z.undefined(),
})

const wordsIn = (name: string): string[] =>
  plainSpelling(name)
    .split(/[\s.,()-]+/)
    .filter(Boolean)

/** Whether words can be learned. The name of someone on a list always means them, or everyone who has it. */
export function canBeLearned(said: string, people: readonly { name: string }[]): boolean {
  const all = wordsIn(said)
  const isListed = people.some(({ name }) => {
    const parts = wordsIn(name)
    return all.every((word) => parts.includes(word))
  })
  return all.length > 0 && all.length <= 3 && said.length > 1 && said.length <= LONGEST && !isListed
}

/** Adds to each person the words that were learned to mean them, unless someone on a list has that name by now. */
export function withLearned<Someone extends { id: string; name: string }>(
  people: readonly Someone[],
  learned: readonly LearnedName[],
  everyone: readonly { name: string }[],
): (Someone & { alsoCalled: string[] })[] {
  const known = learned.filter((one) => canBeLearned(one.words, everyone))
  return people.map((person) => ({
    ...person,
    alsoCalled: known.flatMap((one) =>
      one.student_id === person.id || one.tutor_id === person.id ? [one.words] : [],
    ),
  }))
}

/** Words that were taken for a person's name, and for whom. */
export interface Heard {
  words: string | null
  id: string | null
  /** The person of whom a card has said that the words mean them. */
  told?: string | null
}
/** The words of one session that named its people. */
export interface HeardPeople {
  child: Heard
  tutor: Heard
}

/** What a person's words will be learned to mean, because the user says that someone else was meant. */
interface Learnable {
  words: string
  id: string
  /** Whether the words mean somebody else, too, so that they're asked about. */
  isShared: boolean
}

/** What the choice of a person teaches. Undefined if there's nothing to learn, or it's known. */
export function learnableIn(
  { words, id: taken }: Heard,
  chosen: string | null | undefined,
  learned: readonly Pick<LearnedName, 'words' | 'student_id' | 'tutor_id'>[],
): Learnable | undefined {
  if (!words || !chosen || chosen === taken) return undefined
  const ids = learned.flatMap((one) =>
    plainSpelling(one.words) === plainSpelling(words) ? [one.student_id ?? one.tutor_id] : [],
  )
  return ids.includes(chosen) ? undefined : { words, id: chosen, isShared: ids.length > 0 }
}

/** The names to learn from a session as it's saved. */
export function namesFrom(
  heard: HeardPeople,
  saved: { student_id?: string | null | undefined; tutor_id?: string | null | undefined },
  learned: readonly LearnedName[] = [],
): NewName[] {
  const child = learnableIn(heard.child, saved.student_id, learned)
  const tutor = learnableIn(heard.tutor, saved.tutor_id, learned)
  return [
    ...(child ? [{ words: child.words, student_id: child.id }] : []),
    ...(tutor ? [{ words: tutor.words, tutor_id: tutor.id }] : []),
  ]
}
