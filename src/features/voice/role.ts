// Which of the people named was taught, and which of them taught.
import { standing } from './correction.ts'
import { find, phrase, textOf, type Token } from './spoken-line.ts'
import type { Match, SaidPerson } from './spoken-name.ts'
import type { SaidStranger } from './stranger.ts'

type Line = readonly Token<{ slot: string }>[]

/** Who is meant: one person on a list, or a name to show where none or several fit. */
export interface Chosen {
  place: number
  id: string | null
  /** 1 for a full name, less for a nickname or for what only sounds alike; 0 where nobody is meant surely. */
  score: number
  suggested: string | null
}

const HAD =
  /^(had|who|did|has|took|got|gets|worked|met|completed|finished|studied|practiced|practised|spent|learned|attended|started|just|saw|was|received|also|is|will|needs|reviewed|and|went|@minutes|@subject)$/
const TAUGHT =
  /^(taught|tutored|tutors|teaches|charged|charges|came|helped|gave|coached|worked|did|showed|said|says|covered|went|had|spent|met|led|drilled)$/
const NOT_THERE =
  /^(while|instead|not|unlike|like|than|usual|usually|without|whereas|although|normally|told|ask|asked|because|since|except)$/
/** 'Maya's class had': others than the student. */
const OTHERS_OF =
  /^(class|teacher|school|team|band|choir|camp|club|classmates|friend|friends|cousin|son|daughter|kids|children|wife|husband|dog|cat|house|garden|car|party|wedding|mother|father|girlfriend|boyfriend|roommate|teammate|neighbor|neighbour|brother|sister|nephew|niece|grandson|granddaughter|twin|show|play|recital|game|match|concert|colleague|colleagues|professor|student|students|boss|landlord|assistant|family|parents|birthday|barbecue|funeral|housewarming|exhibition|lab|office|shop|studio|flat|apartment)$/
const ITS_PLACE = /^(?:house|garden|lab|office|shop|studio|flat|apartment)$/
/** 'Supposed to have Sarah', 'didn't see Sarah': somebody who did not come. */
const WAS_NOT =
  /(?:^| )(?:(?:(?:supposed|meant|due|scheduled|going|wanted|hoping|hoped|planning|booked) to|should|would|didn't|did not|couldn't|never|wasn't|not) (?:have |be |been |had )?(?:have|had|see|seen|meet|met|get|be with|been with|work with|working with|with))$/
const ABSENT =
  /^(?:wasn't|isn't|was not|is not|weren't) (?:even |really |actually )?(?:here|there|around|in|home|able|available|free|well)(?= |$)/
const AWAY =
  /^(was (at(?! @person)|sick|ill|away|out|busy|off|on(?!line| zoom| skype| teams| facetime| video)|unavailable)|couldn't|could not|can't|cancelled|canceled|is (sick|away|out|off|at|busy)|had to (?:cancel|skip|miss|stay|reschedule|postpone)|didn't|stayed (?:home|back|behind)|would (?:be|have|love|like|say|approve|die|laugh)|played (?:soccer|video|games|outside|with (?:his|her|friends|the|a)|basketball|football|tennis)|watched|waited|went to(?! @person)|recommended|referred|stays|had (soccer|practice|a cold|the flu|no))/

/** The student and the tutor of the session, among everyone who was named. */
export function rolesOf(line: Line): { student: Chosen | null; tutor: Chosen | null } {
  const people = line.flatMap((token, place) =>
    token.said?.slot === 'person' ? [{ place, said: token.said as SaidPerson & { slot: string } }] : [],
  )
  const strangers = line.flatMap((token, place) =>
    token.said?.slot === 'stranger' ? [{ place, said: token.said as SaidStranger & { slot: string } }] : [],
  )
  // Where one name fits a tutor alone, another name that fits both is the student's.
  const hasTutor = people.some(
    ({ said, place }) =>
      said.students.length === 0 && standing(line, [place]).length > 0 && away(line, place) === 0,
  )
  const othersTeach = (place: number): boolean =>
    people.some(
      (other) =>
        other.place !== place &&
        (/^(with|by|from)$/.test(line[other.place - 1]?.text ?? '') ||
          /^(taught|tutored|coached|helped)$/.test(line[other.place + 1]?.text ?? '')) &&
        (other.said.tutors[0]?.score ?? 0) > (other.said.students[0]?.score ?? 0),
    )
  const learns = (said: SaidPerson, place: number): boolean =>
    (hasTutor || othersTeach(place)) &&
    (said.tutors[0]?.score === said.students[0]?.score ||
      (!said.hasTitle &&
        (HAD.test(line[place + 1]?.text ?? '') ||
          /^(taught|tutored|coached|helped|for)$/.test(line[place - 1]?.text ?? '')) &&
        !/^(with|by|from)$/.test(line[place - 1]?.text ?? '')))
  const teaches = new Map(
    people.map(({ said, place }) => [
      place,
      said.students.length === 0 || (isTutorHere(line, place, said) && !learns(said, place)),
    ]),
  )
  const asStudent = people.filter(
    ({ said, place }) => said.students.length > 0 && teaches.get(place) === false,
  )
  const asTutor = people.filter(({ said, place }) => said.tutors.length > 0 && teaches.get(place) === true)
  const student = best(
    line,
    asStudent.map(({ place, said }) => ({ place, matches: said.students, heard: said.heard })),
    strangers.filter(({ said }) => said.role === 'student'),
    studentScore,
  )
  const tutor = best(
    line,
    asTutor.map(({ place, said }) => ({ place, matches: said.tutors, heard: said.heard })),
    strangers.filter(({ said }) => said.role === 'tutor'),
    tutorScore,
  )
  return {
    student: student ?? spokenOfAgain(line, asStudent, ({ students }) => students),
    tutor: tutor ?? spokenOfAgain(line, asTutor, ({ tutors }) => tutors),
  }
}

/** 'Even though Maya was sick she had ...': away, as it seems, and yet the only one who is named. */
function spokenOfAgain(
  line: Line,
  named: { place: number; said: SaidPerson }[],
  matchesOf: (said: SaidPerson) => Match[],
): Chosen | null {
  const [only] = named
  const [match, other] = only ? matchesOf(only.said) : []
  if (!only || !match || other || named.some(({ said }) => matchesOf(said)[0]?.id !== match.id)) return null
  return find(line.slice(only.place), RESUMES).length > 0
    ? { place: only.place, id: match.id, score: match.score, suggested: null }
    : null
}
const RESUMES = phrase(
  '(?:she|he|they) (?:still |also |then |just |only )?(?:had|did|managed|got|worked|took|met|finished|spent|did|came|taught|stayed|helped|showed)|but (?:then |still |also )?(?:came|did|had|made|stayed|worked|taught|showed|went)|(?:with|from) (?:her|him)',
)

/** For a name that is on both lists: a title, 'with' before it, 'taught' behind it, or the better fit tell a tutor. */
function isTutorHere(line: Line, place: number, said: SaidPerson): boolean {
  if (said.tutors.length === 0) return false
  if (said.students.length === 0 || said.hasTitle) return true
  const [before, after] = [line[place - 1]?.text ?? '', line[place + 1]?.text ?? '']
  const fit = (said.tutors[0]?.score ?? 0) - (said.students[0]?.score ?? 0)
  if (Math.abs(fit) > 0.03) return fit > 0
  if (/^(with|by|from|tutor)$/.test(before)) return true
  return /^(taught|tutored|charged|charges|teaches|came|helped)$/.test(after)
}

interface Candidate {
  place: number
  matches: Match[]
  heard: string
}

function best(
  line: Line,
  candidates: Candidate[],
  strangers: { place: number; said: SaidStranger }[],
  score: (line: Line, place: number) => number,
): Chosen | null {
  const all = [
    ...candidates,
    ...strangers.map(({ place, said }) => ({ place, matches: [] as Match[], heard: said.heard })),
  ].sort((one, other) => one.place - other.place)
  const left = new Set(
    standing(
      line,
      all.map(({ place }) => place),
    ),
  )
  const ranked = all
    .filter(({ place }) => left.has(place))
    .map((candidate) => ({ candidate, points: score(line, candidate.place) }))
    .sort((one, other) => other.points - one.points || one.candidate.place - other.candidate.place)
  const found = ranked[0]?.candidate
  if (!found || (ranked[0]?.points ?? 0) < -2) return null
  const match = found.matches.length === 1 ? found.matches[0] : ambiguity(all, found)
  return {
    place: found.place,
    id: match?.id ?? null,
    score: match?.score ?? 0,
    suggested: match ? null : found.heard,
  }
}

/** A first name that fits two people may be settled by the full name said elsewhere in the breath. */
function ambiguity(all: Candidate[], found: Candidate): Match | undefined {
  const ids = new Set(found.matches.map(({ id }) => id))
  return all.flatMap(({ matches }) => (matches.length === 1 ? matches : [])).find(({ id }) => ids.has(id))
}

function studentScore(line: Line, place: number): number {
  const [before, after] = [line[place - 1]?.text ?? '', line[place + 1]?.text ?? '']
  let points = 0
  if (HAD.test(after) && !AWAY.test(textOf(line.slice(place + 1, place + 5)))) points += 3
  if (
    /^(for|taught|tutored|helped|son|daughter|child|student|with|kid|both|gave|coached|drilled)$/.test(before)
  )
    points += 3
  if (line[place]?.isPossessive) points += 2
  if (line.slice(place, place + 8).some((token) => token.text === '@minutes')) points += 1
  return points - away(line, place)
}

function tutorScore(line: Line, place: number): number {
  const [before, after] = [line[place - 1]?.text ?? '', line[place + 1]?.text ?? '']
  let points = 0
  if (/^(with|by|from|tutor|saw|and|at|met|see)$/.test(before)) points += 3
  if (TAUGHT.test(after) && !AWAY.test(textOf(line.slice(place + 1, place + 5)))) points += 3
  if (line[place]?.isPossessive) points += 1
  return points - away(line, place)
}

function away(line: Line, place: number): number {
  const [before, before2] = [line[place - 1]?.text ?? '', line[place - 2]?.text ?? '']
  const after = textOf(line.slice(place + 1, place + 5))
  let points = 0
  const isSaying = before === 'not' && before2 === 'or'
  if (
    (NOT_THERE.test(before) && !isSaying) ||
    (before === 'of' && before2 === 'instead') ||
    (before === 'to' && before2 === 'thanks') ||
    (/^(usually|normally|not)$/.test(before2) && before !== '@person' && line[place]?.breaks === '')
  )
    points += 6
  if (AWAY.test(after)) points += 5
  if (ABSENT.test(after)) points += 9
  if (
    line[place]?.isPossessive &&
    (OTHERS_OF.test(line[place + 1]?.text ?? '') ||
      (/^(?:old|new|best|little|older|younger|big|former|own|other|little)$/.test(
        line[place + 1]?.text ?? '',
      ) &&
        OTHERS_OF.test(line[place + 2]?.text ?? ''))) &&
    !(
      line[place + 1]?.text === 'class' &&
      /^(?:took|taught|did|gave|had)$/.test(before) &&
      /^(?:@(?:day|minutes|money|subject)|for|on|)$/.test(line[place + 2]?.text ?? '')
    ) &&
    !(ITS_PLACE.test(line[place + 1]?.text ?? '') && /^(?:at|in|to)$/.test(before)) &&
    !/^(?:just |has )?(?:paid|pays|gave|handed|sent|tipped|said|says|venmoed|asked|wanted|booked)$/.test(
      line[place + 2]?.text ?? '',
    )
  )
    points += 9
  if (WAS_NOT.test(textOf(line.slice(Math.max(0, place - 5), place)))) points += 9
  if (/^(thinks|thought|mentioned|wants|seemed|noticed)/.test(after)) points += 1
  return points
}
