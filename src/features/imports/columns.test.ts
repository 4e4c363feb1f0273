import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isHeader, recognizeColumns } from './columns.ts'
import type { Field } from './import.ts'

/** Which field each column of a table is, by the columns' names. Columns that aren't a field are left out. */
function fieldsOf(table: string): Record<string, string> {
  const [header = [], ...rows] = table.split('\n').map((line) => line.split(',').map((cell) => cell.trim()))
  const columns = recognizeColumns(header, rows)
  return Object.fromEntries(Object.entries(columns).map(([field, at]) => [field, header[at] ?? '']))
}

test('columns are found by their usual names, even if they are empty', () => {
  const own =
    'Date,Student,Tutor,Duration (hours),Subject,Rate ($/hour),Amount ($),Agreed,Notes,Start time,Summary,Homework,Make-up'
  const expected = {
    date: 'Date',
    student: 'Student',
    tutor: 'Tutor',
    duration: 'Duration (hours)',
    subject: 'Subject',
    rate: 'Rate ($/hour)',
    amount: 'Amount ($)',
    notes: 'Notes',
    start_time: 'Start time',
    summary: 'Summary',
    homework: 'Homework',
  }
  assert.deepEqual(fieldsOf(own), expected)
  assert.deepEqual(fieldsOf(`${own}\n2026-11-03,=Theo,-Ingrid,0,,0.00,0.00,No,,,,`), expected)
  assert.deepEqual(fieldsOf('lesson_date,Child,teacher name,Minutes,Hourly rate,Total cost,topic,Comments'), {
    date: 'lesson_date',
    student: 'Child',
    tutor: 'teacher name',
    minutes: 'Minutes',
    rate: 'Hourly rate',
    amount: 'Total cost',
    subject: 'topic',
    notes: 'Comments',
  })
  assert.equal(isHeader(['2026-11-01', 'Maya', 'Ingrid', '1']), false)
  assert.equal(isHeader(['Nov 1, 2026', 'Maya', 'Ingrid', '1']), false)
  assert.equal(isHeader(['When', 'Who', 'How long']), true)
})

test('a column of clock times is never taken as the duration', () => {
  for (const [table, expected] of [
    [
      'Date,Student,Tutor,Start Time,End Time,Hours\n2026-11-03,Maya,Ingrid,16:00,17:30,1.5',
      { start_time: 'Start Time', end_time: 'End Time', duration: 'Hours' },
    ],
    [
      'Date,Time,Student,Hours\n2026-11-03,4:00 PM,Maya,1.5',
      { start_time: 'Time', duration: 'Hours', end_time: undefined },
    ],
    [
      'Date,Lesson Time,Student,Length\n11/3/26,16:00,Maya,1:30',
      { start_time: 'Lesson Time', duration: 'Length' },
    ],
    ['Date,Time,Student\n11/3/26,16:00,Maya', { start_time: 'Time', duration: undefined }],
    ['Date,Time,Student\n11/3/26,4:00-5:30 PM,Maya', { start_time: 'Time', duration: undefined }],
    ['Date,Hours,Student\n11/3/26,16:00,Maya', { duration: undefined }],
    ['Date,From,To,Pupil\n11/3/26,3pm,4pm,Maya', { start_time: 'From', end_time: 'To', duration: undefined }],
    [
      'Date,Time In,Time Out,Student,Total Hours\n11/3/26,3:00,4:30,Maya,1.5',
      {
        start_time: 'Time In',
        end_time: 'Time Out',
        duration: 'Total Hours',
        amount: undefined,
      },
    ],
    ['Date,Student,Time\n11/3/26,Maya,1.5', { duration: 'Time', start_time: undefined }],
    ['Date,Student,Time\n11/3/26,Maya,1:30\n11/4/26,Maya,0:45', { duration: 'Time', start_time: undefined }],
    ['Date,Student,Time\n11/3/26,Maya,4:30\n11/4/26,Maya,6:15', { duration: undefined, start_time: 'Time' }],
  ] as [string, Partial<Record<Field, string | undefined>>][]) {
    const found = fieldsOf(table)
    for (const [field, name] of Object.entries(expected))
      assert.equal(found[field], name, `${field} in ${table}`)
  }
})

test('exports of time trackers and tutoring programs are recognized', () => {
  for (const [table, expected] of [
    // Clockify, detailed report.
    [
      'Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)\n' +
        'Algebra,Maya Whitfield,Quadratics,,Ingrid,,ingrid@example.com,,Yes,11/03/2026,04:00:00 PM,11/03/2026,05:30:00 PM,01:30:00,1.50,45.00,67.50\n' +
        'Algebra,Theo Whitfield,Fractions,,Ingrid,,ingrid@example.com,,Yes,11/04/2026,08:00:00 AM,11/04/2026,05:20:00 PM,09:20:00,9.33,45.00,420.00',
      {
        date: 'Start Date',
        student: 'Client',
        tutor: 'User',
        duration: 'Duration (h)',
        subject: 'Project',
        rate: 'Billable Rate (USD)',
        amount: 'Billable Amount (USD)',
        start_time: 'Start Time',
        end_time: 'End Time',
        notes: 'Description',
      },
    ],
    // The same without clients and rates.
    [
      'Project,Client,Description,Task,User,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)\n' +
        'Maya Whitfield,,Quadratics,Algebra,Ingrid,03/11/2026,16:00:00,03/11/2026,17:17:00,01:17:00,1.28,0.00,0.00',
      {
        date: 'Start Date',
        student: 'Project',
        tutor: 'User',
        duration: 'Duration (h)',
        subject: 'Task',
        start_time: 'Start Time',
        end_time: 'End Time',
        notes: 'Description',
      },
    ],
    // Toggl Track, detailed report.
    [
      'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (USD)\n' +
        'Ingrid,i@example.com,Maya,Algebra,,Quadratics,Yes,2026-11-03,16:00:00,2026-11-03,17:30:00,01:30:00,,67.50',
      {
        date: 'Start date',
        student: 'Client',
        tutor: 'User',
        duration: 'Duration',
        subject: 'Project',
        amount: 'Amount (USD)',
        start_time: 'Start time',
        end_time: 'End time',
        notes: 'Description',
      },
    ],
    // Harvest, detailed time report.
    [
      'Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,First Name,Last Name,Employee Id,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL\n' +
        '2026-11-03,Maya,Algebra,ALG,Lesson,Quadratics,1.5,1.5,Yes,No,Ingrid,Lindqvist,7,,Yes,45.00,67.50,20.00,30.00,USD,',
      {
        date: 'Date',
        student: 'Client',
        duration: 'Hours',
        subject: 'Project',
        rate: 'Billable Rate',
        amount: 'Billable Amount',
        notes: 'Notes',
      },
    ],
    // A tutoring program's attendance report.
    [
      'Lesson ID,Date,Time,Student ID,Student,Tutor,Category,Duration (min),Price,Attendance Status,Attendance Notes\n' +
        '88123,11/03/2026,4:00 PM,1042,Maya Whitfield,Ingrid Lindqvist,Lesson,90,$67.50,Present,Quadratics',
      {
        date: 'Date',
        student: 'Student',
        tutor: 'Tutor',
        minutes: 'Duration (min)',
        subject: 'Category',
        amount: 'Price',
        start_time: 'Time',
        notes: 'Attendance Notes',
      },
    ],
    // A form's answers in a spreadsheet.
    [
      'Timestamp,Student Name,Date of Session,Number of hours,What did you cover?\n' +
        '11/4/2026 9:12:03,Maya,11/3/2026,1.5,Fractions',
      { date: 'Date of Session', student: 'Student Name', duration: 'Number of hours' },
    ],
    // A calendar.
    [
      'Title,Start,End,Attendee\nAlgebra,2026-11-03 16:00,2026-11-03 17:30,Maya',
      { date: 'Start', start_time: 'Start', end_time: 'End', subject: 'Title', student: 'Attendee' },
    ],
  ] as [string, Record<string, string>][])
    assert.deepEqual(fieldsOf(table), expected, table.slice(0, 60))
})

test('German, Spanish and French columns are recognized', () => {
  for (const [table, expected] of [
    [
      'Datum;Schüler;Lehrer;Beginn;Ende;Stunden;Stundensatz;Betrag;Fach;Bemerkungen',
      '03.11.2026;Jörg;Ingrid;16:00;17:30;1,5;45,00 €;67,50 €;Mathe;gut',
    ],
    [
      'Fecha;Alumno;Profesor;Hora de inicio;Hora de fin;Duración;Tarifa;Importe;Asignatura;Observaciones',
      '3/11/2026;José;Ingrid;16:00;17:30;1:30;45,00 €;67,50 €;Álgebra;bien',
    ],
    [
      'Date;Élève;Professeur;Début;Fin;Durée;Tarif horaire;Montant;Matière;Remarques',
      '03/11/2026;Zoë;Ingrid;16h00;17h30;1h30;45,00 €;67,50 €;Maths;bien',
    ],
  ]) {
    const [header = [], row = []] = [table, expected].map((line) => line?.split(';'))
    assert.deepEqual(
      recognizeColumns(header, [row]),
      {
        date: 0,
        student: 1,
        tutor: 2,
        start_time: 3,
        end_time: 4,
        duration: 5,
        rate: 6,
        amount: 7,
        subject: 8,
        notes: 9,
      },
      table,
    )
  }
})

/** Names for each field's column that people use, and a cell under it. */
const PEOPLES: [Field, string[], string[]][] = [
  [
    'date',
    ['Date', 'Session Date', 'Lesson date', 'lesson_date', 'Day', 'Date of lesson', 'DATE', 'Class Date'],
    ['2026-11-03', '11/3/2026', '17-Nov-26', 'Nov 3, 2026'],
  ],
  [
    'student',
    ['Student', 'Student Name', 'studentName', 'Child', 'Pupil', 'Name of student', 'Learner', 'Kid', 'Name'],
    ['Maya', 'Theo Whitfield', 'Łukasz'],
  ],
  [
    'tutor',
    ['Tutor', 'Teacher', 'Tutor name', 'Instructor', 'Coach', 'teacher_name'],
    ['Ingrid', 'Mr. Osei'],
  ],
  [
    'duration',
    [
      'Hours',
      'Duration',
      'Duration (hours)',
      'Hrs',
      'Total Hours',
      'No. of hours',
      '# of hours',
      'Length',
      'Lesson length',
      'Duration (h)',
      'Hours taught',
      'Time spent',
    ],
    ['1.5', '1:30', '01:30:00', '1 h 30 min', '2', '1 ½'],
  ],
  [
    'rate',
    ['Rate', 'Hourly rate', 'Rate ($/hour)', 'Rate per hour', '$/hr', 'Price per hour'],
    ['45', '$45.00', '45,00 €'],
  ],
  [
    'amount',
    ['Amount', 'Total', 'Total ($)', 'Cost', 'Fee', 'Amount due', 'Price', 'Total cost', 'Lesson fee'],
    ['67.5', '$67.50', '67,50 €'],
  ],
  [
    'start_time',
    ['Start time', 'Start', 'startTime', 'From', 'Begin', 'Time in', 'Starts at'],
    ['16:00', '4:00 PM', '9am', '16:00:00'],
  ],
  [
    'end_time',
    ['End time', 'End', 'End Time', 'To', 'Finish', 'Time out', 'Until'],
    ['17:30', '5:30 PM', '11am'],
  ],
  ['subject', ['Subject', 'Topic', 'Course', 'Class'], ['Algebra', 'Reading']],
  ['notes', ['Notes', 'Comments', 'Remarks', 'Note'], ['Did fractions', 'Fine']],
  ['homework', ['Homework', 'HW'], ['Page 12']],
]
/** Columns that aren't any field, or at least not the best one for it. */
const DISTRACTING: [string, string][] = [
  ['Student ID', '1042'],
  ['Lesson ID', '88123'],
  ['studentId', '7'],
  ['Date of Birth', '2014-05-06'],
  ['DOB', '5/6/2014'],
  ['Student Email', 'maya@example.com'],
  ['Invoice date', '2026-11-30'],
  ['Invoice no.', '2026-117'],
  ['Paid on', '12/1/2026'],
  ['Agreed', 'Yes'],
  ['#', '12'],
  ['Parent', 'Ann Whitfield'],
  ['Phone', '555-0134'],
  ['Time zone', 'UTC'],
  ['Hours remaining', '8.5'],
  ['Tax', '5.40'],
  ['Grade', '6'],
  ['Created at', '2026-11-04 09:00'],
]

test('in any order, with other columns between them, every column gets its own field', () => {
  const chosen = fc.tuple(
    ...PEOPLES.map(([field, names, cells]) =>
      fc.record({
        field: fc.constant(field),
        name: fc.constantFrom(...names),
        cell: fc.constantFrom(...cells),
      }),
    ),
  )
  const others = fc
    .subarray(DISTRACTING)
    .map((list) => list.map(([name, cell]) => ({ field: undefined, name, cell })))
  const table = fc
    .tuple(chosen, others)
    .chain(([own, more]) => fc.shuffledSubarray([...own, ...more], { minLength: own.length + more.length }))
  fc.assert(
    fc.property(table, (columns) => {
      const found = recognizeColumns(
        columns.map(({ name }) => name),
        [columns.map(({ cell }) => cell)],
      )
      for (const [at, { field, name, cell }] of columns.entries())
        if (field) assert.equal(found[field], at, `${field}: ${name} (${cell})`)
    }),
    { numRuns: 500 },
  )
})

test('an id, a date of birth or an email address is never taken, not even if nothing else fits', () => {
  for (const [name, cell] of DISTRACTING)
    assert.deepEqual(
      Object.keys(recognizeColumns([name], [[cell]])).filter((field) =>
        ['date', 'student', 'duration', 'start_time'].includes(field),
      ),
      [],
      name,
    )
  // Ron is also a currency, and May a month.
  for (const name of ['Ron', 'May', 'Dee', 'Sol', 'Theo 2', '🦊', 'X'])
    assert.equal(recognizeColumns(['Hours', 'Student'], [['1', name]]).student, 1, name)
  assert.equal(recognizeColumns(['Student', 'Hours'], [['1042', '1']]).student, undefined)
  assert.equal(recognizeColumns(['Student', 'Name'], [['1042', 'Maya']]).student, 1)
})
