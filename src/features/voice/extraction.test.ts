import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import { type Extraction, type ExtractionInput, extractSession, NO_SESSION } from './extraction.ts'

// A Wednesday.
const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [
    { id: 'maya', name: 'Maya' },
    { id: 'ethan', name: 'Ethan' },
  ],
  tutors: [
    { id: 'chen', name: 'David Chen', rate: 4500 as Cents, subjects: ['Competition Math'] },
    { id: 'sarah', name: 'Sarah Johnson', rate: 6000 as Cents, subjects: [] },
  ],
}
const read = (transcript: string, family = FAMILY): Extraction => extractSession({ ...family, transcript })

function assertReads(cases: [string, Partial<Record<keyof Extraction, unknown>>][], family = FAMILY): void {
  for (const [text, expected] of cases) {
    const got = read(text, family)
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((key) => [key, got[key as keyof Extraction]])),
      expected,
      text,
    )
  }
}

test('a whole session in one breath', () => {
  assert.deepEqual(
    read(
      'Yesterday Maya had an hour and a half of geometry with Mr. Chen at forty dollars an hour. She mixed up two proofs.',
    ),
    {
      studentId: 'maya',
      tutorId: 'chen',
      suggestedStudentName: null,
      suggestedTutorName: null,
      day: '2026-06-16',
      minutes: 90,
      start: null,
      rate: 4000,
      subject: 'geometry',
      notes: 'She mixed up two proofs',
      confidence: 'high',
      sessionsHeard: 1,
      isFuture: false,
      isSession: true,
    },
  )
})

test('what was taken back does not count', () =>
  assertReads([
    ['maya had two hours with sarah yesterday no wait it was one hour', { minutes: 60, day: '2026-06-16' }],
    ['ethan had an hour with mister chen on monday sorry i mean tuesday', { day: '2026-06-16' }],
    ['maya no ethan had an hour with sarah', { studentId: 'ethan' }],
    ['ethan had an hour with mister chen i mean sarah johnson today', { tutorId: 'sarah' }],
    ['maya had an hour of biology actually chemistry with sarah', { subject: 'chemistry' }],
    ['it was ethan not maya with sarah for an hour yesterday', { studentId: 'ethan' }],
    ['maya had an hour with sarah on monday not tuesday', { day: '2026-06-15' }],
    ['maya had an hour with sarah at fifty no fifty five an hour', { rate: 5500 }],
    ['maya had an hour with sarah on tuesday i tell a lie it was monday', { day: '2026-06-15' }],
    ['maya had an hour with sarah yesterday in fact it was ninety minutes', { minutes: 90 }],
    ['maya had an hour with sarah on tuesday or was that monday', { day: '2026-06-15' }],
    ['maya had an hour with sarah yesterday, closer to an hour and a half', { minutes: 90 }],
    ['maya had two hours with sarah yesterday nope ninety minutes', { minutes: 90 }],
    ['maya had ninety minutes with sarah yesterday nope sixty', { minutes: 90, rate: null }],
    ['maya had sarah yesterday for ninety minutes nope sixty', { minutes: 60, rate: null }],
    ['maya had sarah yesterday for an hour and they ran over by ten minutes', { minutes: 70 }],
    ["maya's hour with sarah yesterday was ten minutes short", { minutes: 50 }],
    ['maya had an hour with sarah yesterday rather than monday', { day: '2026-06-16' }],
    ['maya had an hour with sarah yesterday plus an extra half hour', { minutes: 90, sessionsHeard: 1 }],
    ['maya had an hour with sarah yesterday minus ten minutes', { minutes: 50 }],
    ["maya's hour with sarah yesterday only lasted forty minutes", { minutes: 40 }],
    ["maya's hour with sarah ran to ninety minutes", { minutes: 90 }],
    ['sarah gave maya a free trial hour on monday', { minutes: 60, rate: 0 }],
    ['maya was meant to have an hour with sarah yesterday but they did forty minutes', { minutes: 40 }],
  ]))

test('a day that was something else, and a name that is denied', () =>
  assertReads([
    [
      'maya came sunday no wait sunday was the barbecue it was monday and she did an hour with sarah',
      { day: '2026-06-15', minutes: 60 },
    ],
    [
      'note this maya on monday no no not maya ethan with mister chen one hour',
      { studentId: 'ethan', tutorId: 'chen', day: '2026-06-15' },
    ],
    [
      'maya on tuesday with sarah two hours wait no it was monday yeah monday',
      { day: '2026-06-15', minutes: 120 },
    ],
    [
      "let's see last saturday maya and mister chen went at it for half an hour",
      { day: '2026-06-13', minutes: 30 },
    ],
    [
      "maya's make-up lesson in physics took place on monday, one hour",
      { studentId: 'maya', day: '2026-06-15', minutes: 60 },
    ],
  ]))

test('several sessions: the first, and how many', () =>
  assertReads([
    [
      'maya had an hour with sarah on monday and another hour on tuesday',
      { day: '2026-06-15', minutes: 60, sessionsHeard: 2 },
    ],
    [
      'both maya and ethan had an hour of math with mister chen yesterday',
      { studentId: 'maya', sessionsHeard: 2 },
    ],
    [
      'maya had french with sarah for an hour on friday then on saturday ethan had math with mister chen for two hours',
      { studentId: 'maya', tutorId: 'sarah', day: '2026-06-12', minutes: 60, sessionsHeard: 2 },
    ],
    [
      'maya had an hour with sarah yesterday she did her homework and it took two hours',
      { sessionsHeard: 1 },
    ],
    ['maya had an hour with sarah on monday an hour on tuesday and an hour on friday', { sessionsHeard: 3 }],
    [
      'maya had sarah on monday for an hour and then on tuesday again for an hour',
      { day: '2026-06-15', sessionsHeard: 2 },
    ],
    ['maya had an hour with sarah on monday and another on tuesday', { day: '2026-06-15', sessionsHeard: 2 }],
    ['maya had an hour with sarah on monday and not on tuesday', { sessionsHeard: 1 }],
    ['Sarah yesterday: Maya 4-5, Ethan 5-6', { studentId: 'maya', minutes: 60, sessionsHeard: 2 }],
    ['Maya - Sarah - 14.6. - 1 hr - 55', { day: '2026-06-14', minutes: 60, rate: 5500, sessionsHeard: 1 }],
    [
      'sarah came yesterday, first maya 1 hour biology, after ethan 1 hour chemistry',
      { studentId: 'maya', minutes: 60, sessionsHeard: 2 },
    ],
  ]))

test('people who are named and were not there', () =>
  assertReads([
    ['while ethan was at soccer maya had an hour with sarah', { studentId: 'maya' }],
    ['mister chen was sick so sarah did an hour with ethan today', { tutorId: 'sarah', studentId: 'ethan' }],
    ['maya had sarah instead of mister chen for an hour yesterday', { tutorId: 'sarah' }],
  ]))

test('names on no list, and names of two people, are suggested and not guessed', () => {
  assertReads([
    [
      'olivia had an hour of algebra with mister chen',
      { studentId: null, suggestedStudentName: 'Olivia', tutorId: 'chen' },
    ],
    [
      'maya had an hour of chess with mister abernathy',
      { studentId: 'maya', tutorId: null, suggestedTutorName: 'Abernathy' },
    ],
  ])
  assertReads(
    [
      [
        'maya had an hour with mister chen',
        { studentId: null, suggestedStudentName: 'Maya', confidence: 'medium' },
      ],
    ],
    {
      ...FAMILY,
      students: [
        { id: 'a', name: 'Maya Smith' },
        { id: 'b', name: 'Maya Jones' },
      ],
    },
  )
  assertReads([['my son had an hour with mister chen', { studentId: 'ethan' }]], {
    ...FAMILY,
    students: [{ id: 'ethan', name: 'Ethan' }],
  })
})

test('a tutor speaks of students', () =>
  assertReads(
    [
      [
        'i taught maya for an hour and a half yesterday at fifty an hour',
        { studentId: 'maya', tutorId: null, minutes: 90, rate: 5000 },
      ],
      [
        'worked with ethan today for two hours on his essay',
        { studentId: 'ethan', tutorId: null, subject: 'essay' },
      ],
      ['i taught jordan for an hour', { studentId: null, suggestedStudentName: 'Jordan' }],
    ],
    { ...FAMILY, tutors: [] },
  ))

test('totals, days to come and subjects of the tutors', () =>
  assertReads([
    ['maya had ninety minutes with mister chen and we paid sixty in total', { rate: 4000 }],
    [
      'ethan with sarah on friday, 3-4:30pm, 55/h, rate hike noted',
      { minutes: 90, rate: 5500, day: '2026-06-12' },
    ],
    ['ethan had sarah for forty five on friday it was an hour', { minutes: 60, rate: 4500 }],
    ['maya had an hour with mister chen at the usual rate', { rate: null, confidence: 'high' }],
    [
      'maya will have an hour with mister chen tomorrow',
      { day: '2026-06-18', isFuture: true, confidence: 'medium' },
    ],
    ['maya did an hour of competition math with mister chen', { subject: 'Competition Math' }],
    ['ethan had an hour of pottery with sarah', { subject: 'pottery' }],
    ['maya had an hour with sarah notes please bring the folder', { notes: 'please bring the folder' }],
    ['maya had math with sarah yesterday', { minutes: null, confidence: 'low' }],
  ]))

test('what is unknown beside a session leaves it one', () =>
  assertReads([
    [
      "maya had an hour of tutoring on monday i can't remember who with",
      { studentId: 'maya', tutorId: null, day: '2026-06-15', minutes: 60 },
    ],
    [
      'mister chen on monday an hour forty five dollars i forget which of the kids it was',
      { studentId: null, tutorId: 'chen', minutes: 60 },
    ],
    [
      'believe it or not sarah gave maya an hour on monday',
      { studentId: 'maya', tutorId: 'sarah', minutes: 60 },
    ],
  ]))

test('few words are enough', () => {
  assertReads([
    ['two hours yesterday with mister chen', { tutorId: 'chen', minutes: 120, day: '2026-06-16' }],
    ['Sarah, Monday, 1 hour', { tutorId: 'sarah', minutes: 60, day: '2026-06-15' }],
    [
      'back to back on monday, maya for 1 hour and then ethan for 1 hour',
      { studentId: 'maya', minutes: 60, sessionsHeard: 2 },
    ],
    ['a tutor came for ethan on monday for an hour', { studentId: 'ethan', tutorId: null, minutes: 60 }],
  ])
  // Who keeps one tutor only may be the tutor.
  assertReads(
    [
      ['did 75 minutes with maya on monday', { studentId: 'maya', minutes: 75 }],
      ['explained fractions to ethan for an hour yesterday', { studentId: 'ethan', minutes: 60 }],
      ['gave ethan a lesson yesterday for an hour', { studentId: 'ethan', minutes: 60 }],
    ],
    { ...FAMILY, tutors: FAMILY.tutors.slice(1) },
  )
})

test('a lesson goes by many verbs', () =>
  assertReads([
    ['sarah zoomed with maya for an hour on monday', { studentId: 'maya', tutorId: 'sarah', minutes: 60 }],
    [
      'mister chen walked ethan through long division for an hour',
      { studentId: 'ethan', tutorId: 'chen', minutes: 60 },
    ],
    ['sarah subbed for mister chen on monday with ethan for one hour', { studentId: 'ethan', minutes: 60 }],
    [
      "it wasn't mister chen it was sarah who had ethan for an hour",
      { studentId: 'ethan', tutorId: 'sarah' },
    ],
    ['maya had an hour with a new tutor on monday', { studentId: 'maya', tutorId: null, minutes: 60 }],
  ]))

test('who was to come and did not', () =>
  assertReads([
    [
      'maya was supposed to have mister chen but sarah took her instead for an hour',
      { studentId: 'maya', tutorId: 'sarah', minutes: 60 },
    ],
    [
      "ethan didn't have sarah on monday he had mister chen for an hour",
      { studentId: 'ethan', tutorId: 'chen', minutes: 60 },
    ],
    [
      'maya had an hour with sarah on monday it was only supposed to be thirty minutes',
      { studentId: 'maya', minutes: 60 },
    ],
  ]))

test('who sat with somebody took no test', () =>
  assertReads([
    [
      'maya sat with mister chen for an hour yesterday',
      { studentId: 'maya', tutorId: 'chen', subject: null },
    ],
    ['ethan had sat prep with mister chen for an hour', { subject: 'sat prep' }],
    ['maya worked on an essay on monday with sarah for an hour', { day: '2026-06-15', minutes: 60 }],
  ]))

test("at the tutor's place", () =>
  assertReads([
    ["maya was at mister chen's for an hour yesterday", { studentId: 'maya', tutorId: 'chen', minutes: 60 }],
    ["ethan had an hour at sarah's house on monday", { studentId: 'ethan', tutorId: 'sarah', minutes: 60 }],
  ]))

const TALK = [
  'was it monday or tuesday that maya had sarah for an hour',
  'is it true that ethan had sarah for an hour',
  'sarah taught ethan how to ride a bike on sunday it took two hours',
  "we had mister chen's family over for three hours on sunday",
  "maya's lesson with sarah moves to wednesday at five",
  'sarah is free on saturday for two hours',
  'sarah helped me move the couch on saturday for an hour',
  'mister chen charged us for an hour ethan never had',
  'in two hours maya has sarah',
  'thank you so much for the hour on monday sarah it really helped maya',
  "the app crashed while i was logging maya's hour with sarah",
  'we had an hour to kill before sarah on sunday',
  'sarah and i had a glass of wine for an hour after she finished',
  "maya's friend had an hour with sarah yesterday",
  "ethan had choir with sarah's daughter for an hour yesterday",
  "sarah's mother in law stayed with us for two hours on saturday",
  'maya should have been with sarah for an hour yesterday but she got the day wrong',
  'it turned out ethan had skipped his hour with sarah on friday',
  "mister chen's last bill was for six hours at thirty five",
  'sarah had to leave after five minutes on monday',
  'swimming lesson for ethan yesterday, thirty minutes',
  'ethan spent an hour looking for his book before sarah came',
  'sarah had a two hour layover in denver yesterday',
  "maya's show was an hour and a half and sarah came to watch",
  'i paid sarah a hundred and eighty on monday for the three hours in march',
  'sarah wrote a lovely letter for maya it took her two hours',
  "ethan's history class visited the castle on monday for three hours",
  'maya forgot she had mister chen on monday for an hour',
  "we'll try maya with mister chen for an hour on sunday",
  'ethan went for a run with sarah on monday for an hour',
  'maya spent an hour on her maths homework and sarah was not even here',
  'the science class at school had a substitute on monday and maya watched a movie for an hour',
  'her school math lesson on friday was an hour of copying',
  'maya has got mister chen tomorrow at four for an hour',
  "ethan's got sarah tomorrow at 5 for an hour",
  'mister chen turned up so late on monday that i sent him home',
  'ethan refused to go to his lesson with sarah yesterday',
  'sarah and maya played video games for an hour yesterday',
  'sarah took ethan bowling for two hours on sunday',
  'what is the weather like',
  'remind me to pay mister chen sixty dollars',
  'thank you for watching',
  'um never mind cancel',
  'maya has a dentist appointment on friday',
  "maya's lesson with mister chen was cancelled",
  'how much did i pay sarah in may',
  'ethan watched a movie for two hours',
  'call sarah johnson',
  'set a timer for an hour',
  'i need a tutor for maya',
  'mister chen did not show up on monday',
  'add sarah as a tutor',
  'change the rate to fifty dollars',
  'maya did her homework for an hour',
  'no session today',
  'ethan has math with mister chen every monday',
  'hello',
  'we had dinner with sarah yesterday',
  'delete the session from yesterday',
  'maya missed her lesson on tuesday',
  'did ethan have his lesson',
  'groceries were sixty dollars',
  'sarah said maya is doing great',
]

test('what speaks of no session leaves everything empty', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TALK),
      fc.boolean(),
      fc.constantFrom('', '.', '!', ' um'),
      (text, isTyped, end) => {
        assert.deepEqual(
          read((isTyped ? text.charAt(0).toUpperCase() + text.slice(1) : text) + end),
          NO_SESSION,
          text,
        )
      },
    ),
  )
})

test('any text at all is read without an error', () => {
  const word = fc.constantFrom(
    'maya',
    'Mr.',
    'chen',
    'an',
    'hour',
    'and',
    'a',
    'half',
    'forty',
    'five',
    '$',
    '45',
    'no',
    'wait',
    'on',
    'the',
    'third',
    'friday',
    'last',
    'june',
    '6/31',
    'from',
    'to',
    'not',
    ',',
    '.',
    '?',
    'for',
    'free',
    'with',
    "'",
    '½',
    'each',
    'both',
    '999999999999',
    'rounded',
    'up',
    'x'.repeat(200),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
        fc.string({ unit: 'binary', maxLength: 300 }),
      ),
      (text) => {
        const got = read(text)
        assert.ok(got.isSession || got.sessionsHeard === 0)
        assert.ok(got.minutes === null || (got.minutes >= 0 && got.minutes <= 1440))
        assert.ok(got.rate === null || (Number.isSafeInteger(got.rate) && got.rate >= 0))
      },
    ),
    { numRuns: 300 },
  )
})

test('the same text gives the same answer, however often it is asked', () => {
  const text = 'so ethan had uh two hours with sarah on monday at fifty an hour no wait one hour'
  assert.deepEqual(
    Array.from({ length: 5 }, () => JSON.stringify(read(text))),
    Array.from({ length: 5 }, () => JSON.stringify(read(text))),
  )
})

test('minutes that could be the price are in doubt', () => {
  assert.deepEqual(
    [
      'maya had mr chen yesterday for one hour forty five',
      'maya had mr chen yesterday for one hour forty five minutes',
      'maya had sarah yesterday for one hour forty five',
    ].map((text) => [read(text).minutes, read(text).confidence]),
    [
      [105, 'medium'],
      [105, 'high'],
      [105, 'high'],
    ],
  )
})

test('a tutor tells what one of the students had', () =>
  assertReads(
    [
      [
        'had opal from 4pm to 5:30pm on monday, 60 bucks for the whole session',
        { studentId: 'opal', minutes: 90, rate: 4000, isSession: true },
      ],
      [
        'Lessons on June 14 and June 15 with Opal, one hour each',
        { studentId: 'opal', sessionsHeard: 2, day: '2026-06-14' },
      ],
      [
        'opal studied trig with me for an hour yesterday, her cat sat on the book for twenty minutes',
        { studentId: 'opal', minutes: 60 },
      ],
      ['had opal two hours at the dentist today', { isSession: false }],
      ['should we put opal down for an hour with jasper before the test on friday', { isSession: false }],
    ],
    {
      today: FAMILY.today,
      students: [{ id: 'opal', name: 'Opal' }],
      tutors: [{ id: 'jasper', name: 'Jasper Finch', rate: 5000 as Cents, subjects: [] }],
    },
  ))

test('orders, tests ahead, calls and questions in few words fill nothing in', () =>
  assertReads(
    [
      "please change maya's hour on monday to 90 minutes",
      'reminder maya sarah friday one hour',
      'maya to sarah friday 4-5?',
      'maya has sarah at four on thursday',
      'maya and sarah: exam on 20 june, 90 minutes',
      "put sarah's number in my phone please",
      'i rang sarah about the hour on friday',
      "met with sarah for half an hour on monday to go over maya's report",
    ].map((text) => [text, { isSession: false }]),
  ))

test('a name that holds the short name of a day is no day', () => {
  const family = {
    today: '2026-08-30' as CalendarDay,
    students: [{ id: 'bao', name: 'Bảo' }],
    tutors: [
      { id: 'thu', name: 'Anh Thư', rate: null, subjects: [] },
      { id: 'tuan', name: 'Tuan', rate: null, subjects: [] },
    ],
  }
  const read = (transcript: string) => {
    const { studentId, tutorId, day, minutes } = extractSession({ ...family, transcript })
    return [studentId, tutorId, day, minutes]
  }
  assert.deepEqual(read('bao had anh thu yesterday for an hour'), ['bao', 'thu', '2026-08-29', 60])
  assert.deepEqual(read('Anh Thu helped Bao 1 hour on Thu'), ['bao', 'thu', '2026-08-27', 60])
  assert.deepEqual(read('bao had tuan on thu for an hour'), ['bao', 'tuan', '2026-08-27', 60])
})

test('a tutor says whom they took, or what they did with somebody at a price', () => {
  const books = {
    today: '2026-05-20' as CalendarDay,
    students: [{ id: 'rafi', name: 'Rafi' }],
    tutors: [{ id: 'own', name: 'Mrs Quayle', rate: 3500 as Cents, subjects: [] }],
  }
  for (const transcript of [
    'i took rafi for english today one hour at twenty five an hour',
    'rafi has just gone home we did an hour of latin today at twenty five an hour',
  ]) {
    const { studentId, day, minutes, rate } = extractSession({ ...books, transcript })
    assert.deepEqual([studentId, day, minutes, rate], ['rafi', '2026-05-20', 60, 2500], transcript)
  }
})
