// A small grammar that covers how families report lessons, plus other things they say about lessons.

/**
 * One alternative per line. <name> refers to another rule, [..] is included half the time, and a number at
 * the start is a weight. Rules named in capitals are filled in from the account.
 */
export const GRAMMAR: Record<string, string> = {
  utterance: `
    30 <core> [<note>]
    20 <core> <note>
    5 <lead> <core>
    2 <core> and <core>
    4 <core> <correction>
    4 <talk>`,
  talk: `
    4 <STUDENTS> <lesson> with <TUTOR> <calledoff> [<when>]
    2 <TUTOR> <calledoff> [<when>]
    2 <TUTOR> cancelled [the <lesson>] [<when>]
    2 <STUDENT> missed the <lesson> with <TUTOR> [<when>]
    2 no <lesson> with <TUTOR> <when> [<STUDENT> was sick]
    2 <TUTOR> did not <showup> <when>
    2 <TUTOR> didn't <showup> <when>
    2 did <STUDENT> have a <lesson> with <TUTOR> <when>
    2 when is <STUDENTS> next <lesson> with <TUTOR>
    2 how many hours did <STUDENT> do with <TUTOR> <when>
    1 how many hours did <STUDENT> have last month
    2 how much do <iwe> owe <TUTOR> [for <when>]
    2 <iwe> paid <TUTOR> <money> dollars [<when>]
    1 <iwe> owe <TUTOR> <money> dollars
    2 <STUDENT> has <a> <subject> test <when>
    2 <STUDENT> has <a> <lesson> with <TUTOR> <when>
    2 <STUDENT> was sick [<when>]
    2 <STUDENT> did <subject> homework for <duration> [<when>]
    2 <remind> <STUDENT> <when>
    2 <remind> <TUTOR> <when>
    1 please add <TUTOR> as a tutor
    1 <TUTOR> is on vacation
    1 we had dinner with <TUTOR> [<when>]
    1 set a timer for <duration>
    1 what is the weather like <when>`,
  calledoff: `
    3 was cancelled
    1 was canceled
    1 was called off
    1 was moved to <day>
    1 did not happen`,
  showup: `
    show up
    come`,
  iwe: `
    i
    we`,
  remind: `
    remind me to call
    remind me to pick up
    call
    text
    schedule <duration> with
    can we move the lesson of`,
  lead: `
    okay so
    hey
    so
    um
    hi
    please
    just so you know
    i want to log that
    i need to log that
    please log that
    can you note that`,
  correction: `
    6 <sorry> <duration>
    5 <sorry> <when>
    2 <sorry> <money> dollars an hour
    1 <sorry> <money> dollars
    1 make that <duration>
    1 make that <money> dollars an hour
    1 <sorry> <subject>
    1 <sorry> with <TUTOR>`,
  sorry: `
    3 i mean
    3 i meant
    2 sorry i mean
    2 sorry i meant
    2 oops i meant
    1 oops i mean
    2 actually it was
    1 actually
    2 no it was
    2 no wait it was
    1 no wait
    1 no sorry
    1 no actually it was
    1 wait no
    1 sorry it was
    2 scratch that it was
    1 scratch that
    2 correction
    1 correction it was`,
  core: `
    8 <STUDENT> <had> <duration> of <subject> <with> <TUTOR> [<when>] [<rate>]
    4 <STUDENT> <had> <duration> of <subject> <when> <with> <TUTOR> [<rate>]
    3 <STUDENT> had <duration> <with> <TUTOR> <when> [<doing> <subject>] [<rate>]
    6 <when> <STUDENT> <had> <duration> of <subject> <with> <TUTOR> [<rate>]
    4 <when> <STUDENT> had <a> <subject> <lesson> <with> <TUTOR> [for <duration>] [<rate>]
    3 <when> <STUDENT> had <a> <lengthwise> <subject> <lesson> <with> <TUTOR> [<rate>]
    5 <STUDENT> had <subject> <with> <TUTOR> <when> [for <duration>] [<rate>]
    5 <STUDENT> had <subject> <with> <TUTOR> [for] <duration> <when> [<rate>]
    2 <STUDENT> had <subject> <when> <with> <TUTOR> for <duration> [<rate>]
    5 <STUDENT> had <a> <subject> <lesson> <with> <TUTOR> <when> [for <duration>] [<rate>]
    4 <STUDENT> had <a> <subject> <lesson> <with> <TUTOR> for <duration> [<when>] [<rate>]
    5 <STUDENT> had <a> <lengthwise> <subject> <lesson> <with> <TUTOR> [<when>] [<rate>]
    3 <STUDENT> had <a> <lengthwise> <lesson> <with> <TUTOR> [<when>] [<doing> <subject>] [<rate>]
    6 <STUDENT> <worked> <with> <TUTOR> on <subject> for <duration> [<when>] [<rate>]
    5 <STUDENT> <worked> <with> <TUTOR> for <duration> <when> [on <subject>] [<rate>]
    4 <STUDENT> <worked> <with> <TUTOR> [<when>] on <subject> for <duration> [<rate>]
    4 <STUDENT> <worked> on <subject> <with> <TUTOR> for <duration> <when> [<rate>]
    4 <STUDENT> <practiced> <subject> <with> <TUTOR> for <duration> [<when>] [<rate>]
    3 <STUDENT> <practiced> <subject> <with> <TUTOR> <when> for <duration> [<rate>]
    3 <STUDENT> met <with> <TUTOR> for <duration> <when> [to work on <subject>] [<rate>]
    6 <TUTOR> <taught> <STUDENT> <subject> for <duration> [<when>] [<rate>]
    4 <TUTOR> <taught> <STUDENT> <subject> <when> for <duration> [<rate>]
    3 <TUTOR> <taught> <STUDENT> <duration> of <subject> [<when>] [<rate>]
    3 <TUTOR> <taught> <STUDENT> for <duration> <when> [<rate>]
    2 <TUTOR> <taught> <STUDENT> in <subject> for <duration> [<when>] [<rate>]
    5 <TUTOR> worked with <STUDENT> on <subject> for <duration> [<when>] [<rate>]
    5 <TUTOR> worked with <STUDENT> on <subject> <when> for <duration> [<rate>]
    3 <TUTOR> worked with <STUDENT> for <duration> [<when>] [on <subject>] [<rate>]
    4 <TUTOR> did <duration> of <subject> with <STUDENT> [<when>] [<rate>]
    2 <TUTOR> helped <STUDENT> with <subject> for <duration> [<when>] [<rate>]
    2 <TUTOR> and <STUDENT> did <duration> of <subject> [<when>] [<rate>]
    2 <TUTOR> came <when> and <taught> <STUDENT> <subject> for <duration> [<rate>]
    3 <when> <TUTOR> <taught> <STUDENT> <subject> for <duration> [<rate>]
    3 <when> <TUTOR> did <duration> of <subject> with <STUDENT> [<rate>]
    3 <when> <TUTOR> worked with <STUDENT> on <subject> for <duration> [<rate>]
    5 <log> <a> <lesson> for <STUDENT> with <TUTOR> [<when>] <duration> of <subject> [<rate>]
    3 <log> <duration> of <subject> for <STUDENT> <with> <TUTOR> [<when>] [<rate>]
    2 <log> <a> <lengthwise> <subject> <lesson> for <STUDENT> <with> <TUTOR> [<when>] [<rate>]
    2 <log> <a> <subject> <lesson> for <STUDENT> <with> <TUTOR> <when> [for] <duration> [<rate>]
    2 <STUDENT> got <duration> of help [with] <subject> from <TUTOR> <when> [<rate>]
    2 <STUDENT> got <duration> of <subject> help from <TUTOR> [<when>] [<rate>]
    2 we had <TUTOR> here <when> for <STUDENT> for <duration> [<rate>]
    2 we had <TUTOR> over <when> to help <STUDENT> with <subject> for <duration> [<rate>]
    2 <STUDENT> saw <TUTOR> <when> and they did <duration> of <subject> [<rate>]
    2 <STUDENT> saw <TUTOR> for <duration> of <subject> <when> [<rate>]
    2 <STUDENT> was with <TUTOR> for <duration> <when> [on <subject>] [<rate>]
    2 <STUDENT> finished <a> <lengthwise> <subject> <lesson> with <TUTOR> [<when>] [<rate>]
    2 <STUDENT> <TUTOR> <subject> <duration> <when> [<rate>]
    2 <STUDENT> had <TUTOR> <when> [for] <duration> [<rate>]
    1 <STUDENT> had <TUTOR> for <duration> <when> [<rate>]
    2 <subject> with <TUTOR> for <STUDENT> <when> [for] <duration> [<rate>]
    1 <TUTOR> and <STUDENT> <subject> <when> <duration> [<rate>]
    1 <log> <a> <lesson> <STUDENT> <TUTOR> <when> <duration> [<rate>]
    2 <when> <STUDENT> <TUTOR> <duration> of <subject> [<rate>]
    2 <STUDENT> with <TUTOR> <duration> <subject> <when> [<rate>]
    2 <TUTOR> worked with <STUDENT> <when> between <clock> and <clock> [on <subject>] [<rate>]
    2 <STUDENT> had <subject> with <TUTOR> <when> from <clock> to <clock> [<rate>]
    2 <TUTOR> <taught> <STUDENT> <when> from <clock> to <clock> [<rate>]
    1 <STUDENT> was with <TUTOR> <when> from <clock> until <clock> [<rate>]
    2 <when> <TUTOR> came by at <clock> and worked with <STUDENT> until <clock> [on <subject>]
    2 <TUTOR> met <with> <STUDENT> for <duration> <when> [to work on <subject>] [<rate>]
    2 my <child> <STUDENT> had <duration> of <subject> with <TUTOR> <when> [<rate>]
    1 child <STUDENT> tutor <TUTOR> duration <duration> subject <subject> date <when> rate <money>
    1 <STUDENT> had <duration> no wait <duration> of <subject> with <TUTOR> <when>
    1 <STUDENT> had <duration> with <TUTOR> <when> and another <duration> <when>
    1 <STUDENT> had <subject> with <TUTOR> for <duration> <when> then <when> <STUDENT> had <subject> with <TUTOR> for <duration>
    3 <STUDENTS> <lesson> with <TUTOR> <when> was <duration> [of <subject>] [<rate>]
    2 <STUDENTS> <subject> <lesson> with <TUTOR> <when> was <duration> [<rate>]
    1 <STUDENTS> <subject> <lesson> with <TUTOR> lasted <duration> [<when>] [<rate>]
    1 <STUDENTS> <subject> <lesson> [<when>] with <TUTOR> ran <duration> [<rate>]
    3 <STUDENT> <justnow> <duration> with <TUTOR> [<rate>]
    2 <STUDENT> <justnow> <duration> of <subject> with <TUTOR> [<rate>]
    1 <STUDENT> <justnow> <a> <lengthwise> <subject> <lesson> with <TUTOR> [<rate>]
    1 <TUTOR> <justnow> <duration> of <subject> with <STUDENT> [<rate>]
    2 <STUDENT> and <TUTOR> met <when> for <duration> [to work on <subject>] [<rate>]
    2 <STUDENT> and <TUTOR> met for <duration> <when> [to work on <subject>] [<rate>]
    2 <STUDENT> met [with] <TUTOR> <when> from <clock> to <clock> [for <subject>] [<rate>]
    1 so <when> <TUTOR> <cameover> and did <duration> of <subject> with <STUDENT> [<rate>]
    2 <TUTOR> <cameover> [<when>] and did <duration> of <subject> with <STUDENT> [<rate>]
    1 <when> <TUTOR> <cameover> and did <duration> of <subject> with <STUDENT> [<rate>]
    1 <TUTOR> was here <when> for <duration> with <STUDENT> [<rate>]
    1 <STUDENT> <had> <subject> <with> <TUTOR> [<when>] between <clock> and <clock> [<rate>]
    1 <STUDENT> got <duration> of help in <subject> from <TUTOR> [<when>] [<rate>]
    1 <STUDENT> <had> <a> free trial <lesson> <with> <TUTOR> [<when>] [for <duration>]
    1 <STUDENT> <had> <a> free trial hour of <subject> with <TUTOR> [<when>]
    1 <STUDENT> <had> <duration> i mean <duration> of <subject> <with> <TUTOR> [<when>]
    1 <STUDENT> <had> <duration> of <subject> i mean <subject> <with> <TUTOR> [<when>]
    1 <STUDENT> <had> <duration> of <subject> with <TUTOR> i mean <TUTOR> [<when>]
    1 i want to log <a> <lesson> for <STUDENT> it was with <TUTOR> <when> for <duration> [<rate>]
    1 <STUDENT> spent <duration> with <TUTOR> <when> [on <subject>] [<rate>]
    1 <STUDENT> spent <duration> on <subject> with <TUTOR> <when> [<rate>]
    1 <STUDENT> <subject> <TUTOR> <duration> [<when>] [<rate>]
    1 <STUDENT> was tutored [in <subject>] by <TUTOR> <when> for <duration> [<rate>]
    1 <TUTOR> gave <STUDENT> <a> <lengthwise> <subject> <lesson> [<when>] [<rate>]
    1 <TUTOR> gave <STUDENT> <duration> of <subject> [<when>] [<rate>]
    1 <TUTOR> spent <duration> with <STUDENT> <when> [on <subject>] [<rate>]
    1 <TUTOR> saw <STUDENT> <when> for <duration> [of <subject>] [<rate>]
    1 <STUDENT> had <duration> of <subject> <when>
    1 both <STUDENT> and <STUDENT> had <duration> of <subject> <with> <TUTOR> [<when>]
    1 we paid <TUTOR> <money> dollars for <duration> of <subject> with <STUDENT> <when>`,
  had: `
    6 had
    3 did
    1 just had
    1 has`,
  justnow: `
    3 just finished
    2 just wrapped up
    2 just had
    1 just did
    1 finished
    1 completed`,
  cameover: `
    3 came over
    2 came by
    1 came
    1 stopped by`,
  a: `
    20 a
    1 another
    1 his
    1 her`,
  child: `
    son
    daughter
    kid`,
  with: `
    12 with
    1 from`,
  doing: `
    doing
    on
    for
    they did`,
  worked: `
    5 worked
    2 studied
    1 sat down
    1 was`,
  practiced: `
    4 practiced
    4 studied
    2 did
    1 reviewed
    1 went over`,
  taught: `
    5 taught
    3 tutored
    1 helped
    1 coached`,
  log: `
    3 log
    3 add
    1 record
    1 enter
    1 please log
    1 please add
    1 can you add
    1 can you log
    1 i need to log`,
  lesson: `
    5 lesson
    5 session
    2 class
    1 tutoring session
    1 practice
    1 tutoring lesson`,
  lengthwise: `
    4 one hour
    4 two hour
    2 three hour
    4 half hour
    4 thirty minute
    4 forty five minute
    4 ninety minute
    3 sixty minute
    1 <tens> minute
    2 hour long
    2 ninety minute
    1 seventy five minute
    1 two and a half hour`,
  duration: `
    14 an hour
    7 one hour
    10 two hours
    5 three hours
    1 four hours
    9 an hour and a half
    3 one and a half hours
    4 two and a half hours
    2 one hour and a half
    8 half an hour
    2 a half hour
    8 thirty minutes
    9 forty five minutes
    4 three quarters of an hour
    4 an hour and fifteen minutes
    4 an hour and a quarter
    3 one hour and a quarter
    3 one hour and fifteen minutes
    3 one hour and thirty minutes
    4 an hour and forty five minutes
    3 one hour and forty five minutes
    2 an hour and thirty minutes
    2 one hour fifteen minutes
    2 one hour forty five
    2 an hour and three quarters
    1 one and three quarter hours
    2 two hours and fifteen minutes
    2 two hours and a quarter
    2 two hours and thirty minutes
    6 ninety minutes
    4 sixty minutes
    2 seventy five minutes
    2 fifty minutes
    1 twenty minutes
    2 fifteen minutes
    1 forty minutes
    2 a hundred and twenty minutes
    1 one hundred and twenty minutes
    2 a couple of hours
    1 a quarter of an hour
    1 one point five hours
    2 three and a half hours
    1 three hours and a half
    1 three hours and fifteen minutes
    2 two hours and forty five minutes
    1 two hours and three quarters
    1 an hour thirty
    1 an hour forty five
    1 an hour and twenty minutes
    1 one hour and twenty minutes
    1 an hour and ten minutes
    1 <tens> five minutes
    1 <tens> minutes
    1 a half an hour
    1 thirty five minutes
    1 a solid hour
    1 a full hour
    1 about an hour
    1 uh an hour
    1 two hours straight
    1 almost two hours
    1 just over an hour
    1 <clock> to <clock>`,
  clock: `
    <small>
    <small> thirty
    half past <small>
    quarter past <small>
    quarter to <small>
    <small> o'clock
    <small> fifteen
    <small> forty five`,
  when: `
    14 yesterday
    7 today
    12 on <day>
    8 last <day>
    2 this <day>
    2 this past <day>
    1 the other day
    1 just now
    1 <day>
    3 this morning
    3 this afternoon
    2 this evening
    1 earlier today
    2 last night
    1 yesterday afternoon
    1 yesterday evening
    1 yesterday morning
    1 <day> afternoon
    1 on <day> evening
    1 on <day> morning
    4 two days ago
    3 three days ago
    1 four days ago
    1 five days ago
    3 a week ago
    1 two weeks ago
    6 the day before yesterday
    3 the <day> before last
    2 <small> days ago
    1 one day ago
    1 <small> weeks ago
    1 a few minutes ago
    1 an hour ago
    1 a few hours ago
    1 two hours ago
    1 <day> last week
    1 on <day> last week
    1 on <day> of last week
    1 last <day> <partofday>
    1 on <day> the <ordinal>
    1 yesterday at <clock>
    1 on the last day of <month>
    1 on the first of the month
    1 on <holiday>
    1 <holiday>
    1 tonight
    1 tomorrow
    1 last week on <day>
    1 earlier this week on <day>
    1 a week ago <day>
    1 a week ago today
    1 a week ago on <day>
    1 a week ago yesterday
    1 last weekend
    8 on <month> <ordinal>
    2 on <day> <month> <ordinal>
    4 on the <ordinal>
    3 on the <ordinal> of <month>
    2 <month> <ordinal>
    1 <day> <month> <ordinal>
    1 at <clock>`,
  partofday: `
    morning
    afternoon
    evening
    night`,
  holiday: `
    christmas eve
    christmas day
    boxing day
    new year's eve
    new year's day
    valentine's day
    saint patrick's day
    good friday
    easter sunday
    easter monday
    mother's day
    father's day
    memorial day
    labor day
    independence day
    the fourth of july
    columbus day
    veterans day
    presidents day
    halloween
    thanksgiving`,
  day: `
    monday
    tuesday
    wednesday
    thursday
    friday
    saturday
    sunday`,
  month: `
    january
    february
    march
    april
    may
    june
    july
    august
    september
    october
    november
    december`,
  ordinal: `
    first
    second
    third
    fourth
    fifth
    sixth
    seventh
    eighth
    ninth
    tenth
    eleventh
    twelfth
    thirteenth
    fourteenth
    fifteenth
    sixteenth
    seventeenth
    eighteenth
    nineteenth
    twentieth
    twenty first
    twenty second
    twenty third
    twenty fourth
    twenty fifth
    twenty sixth
    twenty seventh
    twenty eighth
    twenty ninth
    thirtieth
    thirty first`,
  small: `
    one
    two
    three
    four
    five
    six
    seven
    eight
    nine
    ten
    eleven
    twelve`,
  tens: `
    twenty
    thirty
    forty
    fifty
    sixty
    seventy
    eighty
    ninety`,
  digit: `
    one
    two
    three
    four
    five
    six
    seven
    eight
    nine`,
  money: `
    12 <RATE>
    9 <tens>
    5 <tens> five
    5 <tens> <digit>
    2 <teen>
    2 a hundred
    1 one hundred
    3 <hundred> <tens>
    1 <hundred> <tens> five
    1 <hundred> <digit>
    1 <hundred> <teen>
    1 two hundred`,
  teen: `
    ten
    twelve
    fifteen
    sixteen
    eighteen`,
  hundred: `
    2 a hundred
    2 a hundred and
    2 one hundred
    1 one hundred and`,
  half: `
    2 <tens> fifty
    1 <tens> <digit> fifty
    1 <tens> five fifty
    1 <hundred> <tens> fifty
    1 <hundred> <teen> fifty`,
  sum: `
    6 <money>
    1 <digit> hundred
    2 <digit> hundred <tens>
    1 <digit> hundred and <tens>
    1 <digit> hundred <tens> <digit>`,
  rate: `
    12 at <money> dollars an hour
    6 at <money> an hour
    4 for <money> dollars an hour
    3 at <money> dollars per hour
    1 at <money> per hour
    2 at <money> dollars
    1 for <money> dollars
    1 at <money> bucks an hour
    1 at <money> bucks
    4 no charge
    2 for free
    2 at no charge
    1 on the house
    1 it was free
    2 at the usual rate
    1 at his usual rate
    1 at her usual rate
    1 we paid <sum> in total
    1 <sum> dollars total
    1 that was <sum> dollars
    1 the rate was <money>
    1 it was <sum> dollars altogether
    3 at <half> an hour
    1 the rate was <half>
    1 we paid <sum> altogether
    1 it came to <sum>
    1 it was <sum> in total
    1 for nothing
    1 <nocharge>
    1 <nocharge>
    1 at a new rate of <money> dollars an hour
    1 <money> an hour
    1 at a rate of <money> dollars an hour
    1 the rate was <money> dollars an hour
    1 <TUTOR> charged <sum> dollars
    1 he charged <money> dollars an hour
    1 she charged <money> dollars an hour
    1 we paid <sum> dollars
    1 we paid <sum> dollars total
    1 it cost <sum> dollars
    1 <money> dollars an hour`,
  nocharge: `
    he didn't charge
    she didn't charge
    he did not charge us
    she did not charge us
    free of charge
    it was a free trial
    the first one was free`,
  note: `
    6 <who> <went> <topic>
    4 <who> struggled with <topic>
    4 <who> <needs> <topic>
    3 <who> is <getting> <quality>
    2 <who> did <quality>
    2 <who> was <mood>
    2 they <went> <topic>
    2 we talked about <topic>
    1 <who> has a test next week
    1 <who> has homework for next time
    1 homework is <topic>
    1 <who> finished the homework
    1 his <topic> is improving
    1 her <topic> is improving
    1 her <topic> is getting better
    1 his <topic> is much better
    1 <who> forgot the book
    1 <who> read two chapters
    1 notes <topic>`,
  who: `
    5 she
    5 he
    4 they
    2 <STUDENT>`,
  went: `
    4 went over
    3 practiced
    3 worked on
    2 covered
    2 reviewed
    1 finished
    1 started
    1 learned about
    1 learned
    1 focused on
    1 talked about
    1 read about
    1 prepared for`,
  needs: `
    4 needs more practice with
    2 needs more practice on
    2 needs help with
    1 needs to practice
    1 needs to review
    1 needs more work on
    1 is ready for
    1 did well with
    1 did well on
    1 is doing better with
    1 had trouble with
    1 is having trouble with
    1 understands
    1 enjoyed
    1 really liked`,
  getting: `
    getting
    getting more
    getting much
    getting a lot
    doing
    feeling more`,
  quality: `
    really well
    much better
    great
    better
    confident
    more confident
    faster
    very well
    good
    a great job
    improving
    well prepared`,
  mood: `
    tired
    focused
    a bit late
    ten minutes late
    very focused
    distracted
    well prepared
    great
    happy`,
  topic: `
    fractions
    long division
    multiplication
    derivatives
    integrals
    the quadratic formula
    quadratic equations
    equations
    word problems
    decimals
    percentages
    graphs
    functions
    triangles
    angles
    proofs
    probability
    vocabulary
    verbs
    irregular verbs
    past tense
    grammar
    pronunciation
    punctuation
    spelling
    reading comprehension
    an essay
    the essay
    essay writing
    the introduction
    the solar system
    cells
    photosynthesis
    chemical reactions
    the periodic table
    balancing equations
    forces
    motion
    electricity
    energy
    the civil war
    the revolution
    ancient rome
    the homework
    homework
    scales
    chords
    a new song
    sight reading
    the recital
    loops
    variables
    the project
    the exam
    the final exam
    the test
    the midterm
    the quiz
    chapter <small>
    page <tens>
    the first chapter`,
  subject: `
    6 <SUBJECT>
    10 math
    6 algebra
    5 geometry
    4 calculus
    3 statistics
    2 trigonometry
    2 arithmetic
    2 pre algebra
    1 algebra two
    1 linear algebra
    2 mathematics
    6 reading
    5 writing
    3 essay writing
    2 creative writing
    3 spelling
    2 grammar
    1 phonics
    2 vocabulary
    6 english
    2 literature
    6 science
    5 biology
    5 chemistry
    5 physics
    1 earth science
    1 computer science
    3 coding
    3 programming
    1 python
    5 history
    1 world history
    1 american history
    2 geography
    2 economics
    1 social studies
    1 civics
    1 philosophy
    1 psychology
    5 spanish
    5 french
    2 german
    1 italian
    2 japanese
    2 chinese
    1 mandarin
    2 latin
    1 arabic
    1 korean
    1 russian
    5 piano
    4 violin
    3 guitar
    1 drums
    1 cello
    1 flute
    1 singing
    1 voice
    2 music
    3 drawing
    2 art
    1 painting
    1 pottery
    1 dance
    1 drama
    2 chess
    1 swimming
    1 tennis
    1 public speaking
    3 test prep
    2 s a t prep
    1 a c t prep
    1 college essay
    2 homework help
    1 homework
    1 handwriting
    1 study skills`,
}
