import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import type { ReadingInput } from './candidates.ts'
import { read, type Reading, type ReadSession } from './read.ts'
import { loadWeights } from './weights.server.ts'

const weights = loadWeights()
// A Wednesday.
const FAMILY: Omit<ReadingInput, 'transcript'> = {
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
const heard = (transcript: string, family = FAMILY): Reading => read(weights, { ...family, transcript })

function assertReads(cases: [string, Partial<Record<keyof ReadSession, unknown>>][], family = FAMILY): void {
  for (const [text, expected] of cases) {
    const [got] = heard(text, family).sessions
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((key) => [key, got?.[key as keyof ReadSession]])),
      expected,
      text,
    )
  }
}

test('reads a complete session', () => {
  assert.deepEqual(
    heard(
      'Yesterday Maya had an hour and a half of geometry with Mr. Chen at forty dollars an hour. ' +
        'She mixed up two proofs.',
    ),
    {
      sounds: 'session',
      sessions: [
        {
          studentId: 'maya',
          tutorId: 'chen',
          suggestedStudentName: null,
          suggestedTutorName: null,
          heardStudent: 'Maya',
          heardTutor: 'Chen',
          day: '2026-06-16',
          minutes: 90,
          start: null,
          rate: 4000,
          subject: 'geometry',
          notes: 'She mixed up two proofs',
          confidence: 'high',
          unsure: [],
          isFuture: false,
        },
      ],
      unread: null,
      paid: null,
      missed: null,
    },
  )
})

test("what's paid isn't the price, unless the words say what it's for or the tutor has no price", () => {
  const priced = (transcript: string, family = FAMILY) => {
    const { paid, sessions } = heard(transcript, family)
    return [sessions[0]?.rate, paid]
  }
  for (const text of [
    'Maya had an hour of algebra with Sarah yesterday and I paid her 30 dollars',
    'sarah did an hour with maya on monday, gave her 30 in cash',
    'Ethan had an hour with Mr. Chen today. I sent him $30.',
  ])
    assert.deepEqual(priced(text), [null, 3000], text)
  for (const text of [
    'Maya had an hour of algebra with Sarah yesterday and I paid her 30 dollars for it',
    'maya had an hour with sarah yesterday, we paid 30 altogether',
    'sarah charged thirty dollars for an hour with maya yesterday',
  ])
    assert.deepEqual(priced(text), [3000, null], text)
  assert.deepEqual(priced('maya had an hour with sarah yesterday and i paid cash'), [null, null])
  const unpriced = { ...FAMILY, tutors: FAMILY.tutors.map((tutor) => ({ ...tutor, rate: null })) }
  assert.deepEqual(priced('Maya had two hours with Sarah yesterday and I paid her 60 dollars', unpriced), [
    3000,
    null,
  ])
  const own = {
    ...FAMILY,
    tutors: [{ id: 'you', name: 'You', rate: 4500 as Cents, subjects: [], isSelf: true }],
  }
  assert.deepEqual(priced('maya had an hour yesterday and her mother paid me forty dollars', own), [
    null,
    4000,
  ])
})

test('a correction replaces what came before it', () =>
  assertReads([
    ['maya had two hours with sarah yesterday no wait it was one hour', { minutes: 60, day: '2026-06-16' }],
    ['ethan had an hour with mister chen on monday sorry i mean tuesday', { day: '2026-06-16' }],
    ['maya no ethan had an hour with sarah', { studentId: 'ethan' }],
    ['ethan had an hour with mister chen i mean sarah johnson today', { tutorId: 'sarah' }],
    ['maya had an hour with sarah at fifty no fifty five an hour', { rate: 5500 }],
  ]))

test('reads totals, free lessons, time ranges, and listed subjects', () =>
  assertReads([
    ['maya had ninety minutes with mister chen and we paid sixty in total', { rate: 4000 }],
    ['sarah gave maya a free trial hour on monday', { minutes: 60, rate: 0 }],
    ['maya had an hour with mister chen at the usual rate', { rate: null }],
    ['ethan with sarah friday 4:30 to 6', { minutes: 90, day: '2026-06-12' }],
    ['maya did an hour of competition math with mister chen', { subject: 'Competition Math' }],
    ['maya had math with sarah yesterday', { minutes: null, confidence: 'low' }],
  ]))

test('a time range without am or pm starts at a plausible hour', () => {
  for (const [said, start] of [
    ['from 4 to 5:30', '16:00'],
    ['from half past three to five', '15:30'],
    ['9am to 10:15am', '09:00'],
    ['10-11am', '10:00'],
    ['from eleven to one', '11:00'],
    ['from 9 to 10:30', '09:00'],
    ['from noon to one thirty', '12:00'],
    ['4-5:30pm', '16:00'],
    ['1630 to 1715', '16:30'],
    ['0730-0830', '07:30'],
    ['from 7 to 8 am', '07:00'],
    ['came at four and stayed until five fifteen', '16:00'],
  ] as const)
    assertReads([[`maya mister chen ${said} today`, { start }]])
  assertReads([
    ['maya had two hours with mister chen yesterday', { start: null }],
    ['maya with mister chen from 4 to 5, no wait, 4:30 to 5:45', { start: '16:30', minutes: 75 }],
  ])
})

test("the day stays empty if it was said in a way that doesn't tell which one", () => {
  for (const when of [
    'the other day',
    'at the weekend',
    'in half term',
    'before the holidays',
    'on her birthday',
    'on Diwali',
    'last month',
    'on Monday or Tuesday',
    'on the 31st of June',
    'on June 31',
    'on February 29',
    'on 2026-02-29',
  ])
    for (const text of [
      `Maya had an hour with Mr. Chen ${when}`,
      `${when} maya had mister chen for an hour`,
    ]) {
      const { sessions } = heard(text)
      assert.deepEqual(
        sessions.map(({ studentId, day, minutes, rate, confidence }) => [
          studentId,
          day,
          minutes,
          rate,
          confidence,
        ]),
        [['maya', null, 60, null, 'low']],
        text,
      )
    }
})

test("today is filled in if nothing was said about the day, and today's own weekday is marked", () => {
  assertReads([
    ['maya had an hour with mister chen', { day: '2026-06-17', unsure: [] }],
    ['maya had an hour with mister chen, her test is next week', { day: '2026-06-17' }],
    ['maya had an hour with mister chen on wednesday', { unsure: ['day'], confidence: 'low' }],
    ['maya had an hour with mister chen last wednesday', { day: '2026-06-10', unsure: [] }],
    ['maya had an hour with mister chen today, wednesday', { day: '2026-06-17', unsure: [] }],
  ])
  const several = heard('maya had an hour with sarah on wednesday and ethan had an hour with chen on monday')
  assert.deepEqual(
    several.sessions.map(({ unsure }) => unsure),
    [['day'], []],
  )
})

test('a day or a length said in words that nobody knows is empty or marked, not guessed', () => {
  for (const text of [
    'Maya had an hour with Mr. Chen last brindlewick',
    'Maya had an hour of math with Mr. Chen on the zulmick',
  ]) {
    const [got] = heard(text).sessions
    assert.ok(got?.day === null || got?.unsure.includes('day'), text)
  }
  const [half] = heard(
    'Maya had two hours with Mr. Chen yesterday, no she left after one and a half',
  ).sessions
  assert.ok(half?.minutes === 90 || half?.minutes === null || half?.unsure.includes('minutes'))
  for (const one of heard('Maya and Ethan had two hours with Sarah yesterday, first Maya then Ethan')
    .sessions)
    assert.ok(one.minutes === null || one.unsure.includes('minutes'))
})

test('lengths and days in dialects and in the order of other languages', () =>
  assertReads([
    ['Maya had math wi Mr. Chen yesterday, an oor an a hauf', { day: '2026-06-16', minutes: 90 }],
    ['Maya had Mr. Chen yesterday from the six to the seven and a half', { minutes: 90 }],
    ['Maya did an hour and 1/4 with Mr. Chen on Mondi', { day: '2026-06-15', minutes: 75 }],
    ['Before three days Maya had one hour and half with Mr. Chen', { day: '2026-06-14', minutes: 90 }],
    ['Maya had the lesson with Mr. Chen the day 4 of this month, one hour', { day: '2026-06-04' }],
  ]))

test('an ISO date gives a day and no start time', () =>
  assertReads(
    [
      ['2025-10-14 maya chen 60 min', { day: '2025-10-14', minutes: 60, start: null }],
      ['2025-10-14 maya chen from 4 to 5', { day: '2025-10-14', minutes: 60, start: '16:00' }],
      ['maya with chen on 2025-10-05 until 5', { day: '2025-10-05', minutes: null, start: null }],
    ],
    { ...FAMILY, today: '2025-10-15' as CalendarDay },
  ))

test('very long lessons are marked, and hours on a 24-hour clock are times', () =>
  assertReads([
    ['maya had five hours with mister chen yesterday', { minutes: 300, unsure: ['minutes'] }],
    ['maya had four hours with mister chen yesterday', { minutes: 240, unsure: [] }],
    ['maya with mister chen yesterday, 9h00 to 10h30', { minutes: 90, start: '09:00' }],
    ['maya with mister chen yesterday from 16h to 17h15', { minutes: 75, start: '16:00' }],
    ['maya 14h-15h30 mister chen yesterday', { minutes: 90, start: '14:00' }],
  ]))

test('paid in cash or a trial is not free, and prices are read in any currency', () =>
  assertReads([
    ['maya had an hour with sarah yesterday, paid cash', { rate: null }],
    ['maya had a trial lesson with sarah yesterday, an hour', { rate: null }],
    ['maya had an hour with sarah yesterday, 35,50 €', { rate: 3550 }],
    ['maya had an hour with sarah yesterday for thirty two pounds fifty', { rate: 3250 }],
    ['maya had an hour with sarah yesterday at ₹700 an hour', { rate: 70_000 }],
    ['maya had an hour with sarah yesterday at 350 rand an hour', { rate: 35_000 }],
    ['maya had an hour with sarah yesterday, 450 kr an hour', { rate: 45_000 }],
    ['maya had two hours with sarah yesterday, 60 dollars', { rate: 6000 }],
  ]))

test('unusually worded sessions are still read', () =>
  assertReads(
    [
      [
        'leo 2 hrs spanish fri his mom said 18 an hour is cool',
        { studentId: 'leo', minutes: 120, rate: 1800, day: '2026-06-12' },
      ],
      [
        'nadia came for leo, 45 min, he yawned the whole time',
        { studentId: 'leo', tutorId: 'nadia', minutes: 45 },
      ],
    ],
    {
      today: FAMILY.today,
      students: [{ id: 'leo', name: 'Leo' }],
      tutors: [{ id: 'nadia', name: 'Nadia Petrov', rate: 5000 as Cents, subjects: [] }],
    },
  ))

test('unlisted and ambiguous names are suggested, not filled in', () => {
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
  assertReads([['maya had an hour with mister chen', { studentId: null, suggestedStudentName: 'Maya' }]], {
    ...FAMILY,
    students: [
      { id: 'a', name: 'Maya Smith' },
      { id: 'b', name: 'Maya Jones' },
    ],
  })
})

test("a tutor's own account needs no tutor name", () =>
  assertReads(
    [
      [
        'worked with ethan today for two hours on his essay',
        { studentId: 'ethan', tutorId: 'own', minutes: 120 },
      ],
      ['maya tues 4-5:15', { studentId: 'maya', tutorId: 'own', minutes: 75, day: '2026-06-16' }],
    ],
    {
      ...FAMILY,
      tutors: [{ id: 'own', name: 'Ingrid Vale', isSelf: true, rate: 5000 as Cents, subjects: [] }],
    },
  ))

test('reads several sessions, each with its own facts', () => {
  const facts = (text: string) =>
    heard(text).sessions.map(({ studentId, tutorId, day, minutes, rate }) => [
      studentId,
      tutorId,
      day,
      minutes,
      rate,
    ])
  assert.deepEqual(
    facts('Maya math Monday and Wednesday, an hour each, and Ethan reading Friday 45 minutes'),
    [
      ['maya', null, '2026-06-15', 60, null],
      ['maya', null, '2026-06-10', 60, null],
      ['ethan', null, '2026-06-12', 45, null],
    ],
  )
  assert.deepEqual(facts('sarah did an hour with maya and half an hour with ethan on monday, 90 total'), [
    ['maya', 'sarah', '2026-06-15', 60, 6000],
    ['ethan', 'sarah', '2026-06-15', 30, 6000],
  ])
  assert.deepEqual(facts('both kids had mr chen yesterday, 45 minutes each'), [
    ['maya', 'chen', '2026-06-16', 45, null],
    ['ethan', 'chen', '2026-06-16', 45, null],
  ])
})

test('a child mentioned twice is one child, and each lesson has its own length, subject and note', () => {
  const facts = (text: string) =>
    heard(text).sessions.map(({ studentId, minutes, subject, notes }) => [studentId, minutes, subject, notes])
  assert.deepEqual(facts('both had sarah yesterday, maya for an hour and ethan for two hours'), [
    ['maya', 60, null, null],
    ['ethan', 120, null, null],
  ])
  assert.deepEqual(
    facts('Maya had an hour of chemistry with Mr. Chen and Ethan had 45 minutes of reading with Sarah'),
    [
      ['maya', 60, 'chemistry', null],
      ['ethan', 45, 'reading', null],
    ],
  )
  assert.deepEqual(
    facts(
      'Yesterday Maya had an hour of algebra with Sarah, she needs to practice fractions, and Ethan had ' +
        'half an hour of spelling with Sarah.',
    ),
    [
      ['maya', 60, 'algebra', 'she needs to practice fractions'],
      ['ethan', 30, 'spelling', null],
    ],
  )
})

test('planned lessons are filled in with a question; canceled ones and questions fill in nothing', () => {
  const planned = heard('maya will have an hour with mister chen tomorrow')
  const [first] = planned.sessions
  assert.deepEqual(
    [planned.sounds, first?.day, first?.isFuture, first?.confidence],
    ['planned', '2026-06-18', true, 'low'],
  )
  for (const [text, sounds] of [
    ["maya's lesson with mister chen was cancelled", 'cancelled'],
    ['sarah cancelled today, she has the flu', 'cancelled'],
    ['was it an hour or an hour and a half with sarah on monday?', 'asked'],
    ['what is the weather like', 'other'],
    ['groceries were sixty dollars', 'other'],
    ['hello', 'other'],
    ['', 'other'],
  ] as const)
    assert.deepEqual([heard(text).sounds, heard(text).sessions], [sounds, []], text)
})

const NAMES = [
  'Bjørn|Łukasz|Işıl|Zoë|D’Angelo|Đặng Thu|José-Luis|Anne-Marie|Siobhán|Søn|Weiß|Nguyễn|Ñusta|Дима|Семён|Юлія',
  'Ђорђе|Γιώργος|Ελένη|Արամ|Նարե|ਸਿਮਰਨ|ሳራ|ნინო|გიორგი|محمد|علی‌رضا|נועה|שרה|राम|प्रिया|அருண்|கவிதா|ইরা|রোহান',
  'สมชาย|李明|王芳|さくら|김민준',
]
  .join('|')
  .split('|')

test('recognizes forty names in a dozen scripts', () => {
  assert.equal(NAMES.length, 40)
  const students = [...NAMES, 'Maya', 'Ethan'].map((name) => ({ id: name, name }))
  for (const name of NAMES)
    for (const text of [
      `${name} 1h math`,
      `an hour of math for ${name} yesterday`,
      `${name.normalize('NFD')} had an hour with sarah`,
    ]) {
      const [first] = heard(text, { ...FAMILY, students }).sessions
      assert.deepEqual([first?.studentId, first?.minutes], [name, 60], text)
    }
})

test('reads any text without errors, with the same result each time', () => {
  const words =
    'maya|Mr.|chen|an|hour|and|a|half|forty|five|$|45|no|wait|on|the|friday|last|june|6/31|31/31|0/0|from|to|,|.|?' +
    "|for|free|with|constructor|toString|__proto__|'|½|both|999999999999|4:30|99:99|李明|\n|2026-02-30|week|ago|-|3|" +
    'x'.repeat(200)
  const word = fc.constantFrom(...words.split('|'))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
        fc.string({ unit: 'binary', maxLength: 300 }),
      ),
      (text) => {
        const got = heard(text)
        assert.deepEqual(heard(text), got)
        for (const { minutes, rate, day } of got.sessions) {
          assert.ok(minutes === null || (minutes > 0 && minutes <= 1440))
          assert.ok(rate === null || (Number.isSafeInteger(rate) && rate >= 0))
          assert.ok(day === null || /^\d{4}-\d\d-\d\d$/.test(day))
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('a class that did not take place is read with what was said in plain words, and nothing else', () => {
  const own: typeof FAMILY = {
    ...FAMILY,
    tutors: [{ id: 'me', name: 'David Chen', isSelf: true, rate: 4500 as Cents, subjects: [] }],
  }
  const [maya, today] = [{ studentId: 'maya', tutorId: null }, { day: '2026-06-17' }]
  const cases: [string, typeof FAMILY, object][] = [
    ['Maya was canceled this morning', FAMILY, { ...maya, ...today, outcome: null }],
    ['Maya, no-show today', FAMILY, { ...maya, ...today, outcome: 'no_show' }],
    ['Maya didn’t come yesterday', FAMILY, { ...maya, day: '2026-06-16', outcome: 'no_show' }],
    ['No-show', FAMILY, { studentId: null, tutorId: null, day: null, outcome: 'no_show' }],
    [
      'The tutor canceled today’s class',
      FAMILY,
      { studentId: null, tutorId: null, ...today, outcome: 'canceled_by_tutor' },
    ],
    ['I canceled Maya today', own, { ...maya, ...today, outcome: 'canceled_by_tutor' }],
    ['I canceled Maya today', FAMILY, { ...maya, ...today, outcome: null }],
    // The last Friday or the next one.
    ['Maya canceled on Friday', FAMILY, { ...maya, day: null, outcome: null }],
    [
      'Maya and Ethan were canceled yesterday',
      FAMILY,
      { studentId: null, tutorId: null, day: '2026-06-16', outcome: null },
    ],
  ]
  for (const [text, family, missed] of cases) {
    const got = heard(text, family)
    assert.deepEqual([got.sessions, got.missed], [[], missed], text)
  }
  for (const text of ['Maya had an hour with David yesterday', 'The plumber didn’t come yesterday', 'Hello'])
    assert.equal(heard(text).missed, null, text)
})

const FAMILIA: typeof FAMILY = {
  today: '2026-06-17' as CalendarDay,
  students: [
    { id: 'maya', name: 'Maya' },
    { id: 'paco', name: 'Francisco' },
  ],
  tutors: [
    { id: 'lopez', name: 'Lourdes López', rate: 30_000 as Cents, subjects: ['Matemáticas'] },
    { id: 'ernesto', name: 'Profe Ernesto', rate: 25_000 as Cents, subjects: [] },
  ],
}

test('reads Spanish, with or without accents and punctuation, and keeps the words as they were said', () => {
  assertReads(
    [
      [
        'Ayer Mayita tuvo hora y media de geometría con la maestra López a 320 pesos la hora.',
        {
          studentId: 'maya',
          tutorId: 'lopez',
          day: '2026-06-16',
          minutes: 90,
          rate: 32_000,
          subject: 'geometría',
        },
      ],
      ['paquito con el profe ernesto el lunes tres cuartos de hora', { studentId: 'paco', minutes: 45 }],
      ['antier maya tuvo una hora con lulu', { tutorId: 'lopez', day: '2026-06-15', minutes: 60 }],
      ['hoy paco con ernesto de cuatro a cinco y cuarto', { day: '2026-06-17', minutes: 75, start: '16:00' }],
      ['maya con lourdes ayer de seis menos cuarto a siete', { minutes: 75, start: '17:45' }],
      ['hace dos semanas maya tuvo dos horas menos cuarto con lourdes', { day: '2026-06-03', minutes: 105 }],
      ['el 3 de junio paco tuvo una hora con el profe ernesto', { day: '2026-06-03', minutes: 60 }],
      ['ayer maya una hora con lourdes a 300 con 50', { minutes: 60, rate: 30_050 }],
      ['el otro día maya tuvo una hora con lourdes', { day: null, minutes: 60 }],
    ],
    FAMILIA,
  )
  // A text with little more than that is Spanish, too.
  assertReads([['una hora y media', { minutes: 90 }]])
})

test('Spanish plans are asked about; questions, canceled classes and other languages fill in nothing', () => {
  const sounds = (text: string) => heard(text, FAMILIA).sounds
  assert.equal(sounds('mañana maya tiene una hora con lourdes a las cinco'), 'planned')
  assert.equal(sounds('¿cuánto le debo a la maestra lourdes?'), 'asked')
  for (const text of [
    'Gestern hatte Maya eine Stunde Mathe',
    'Hier Maya a eu une heure de maths avec Ernesto',
  ])
    assert.deepEqual(heard(text, FAMILIA), {
      sounds: 'foreign',
      sessions: [],
      unread: null,
      paid: null,
      missed: null,
    })
  const { sounds: canceled, missed } = heard('el profe ernesto canceló la clase de maya de ayer', FAMILIA)
  assert.equal(canceled, 'cancelled')
  assert.deepEqual(missed, {
    studentId: 'maya',
    tutorId: 'ernesto',
    day: '2026-06-16',
    outcome: 'canceled_by_tutor',
  })
  assert.equal(heard('maya no vino ayer a clase', FAMILIA).missed?.outcome, 'no_show')
})
