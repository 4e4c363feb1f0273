// Words of the entries of tutors who keep books: what stands between their facts, what tells of a lesson and what of another thing.
import { phrase } from './spoken-line.ts'

/** Small words between the facts, and what such an entry begins with. */
export const BESIDE =
  /^(?:with|and|then|plus|for|at|on|in|of|from|by|via|an?|the|to|per|only|just|both|each|again|another|same|total|so|right|ok|okay|yes|yeah|well|now|late|early|first|second|next|after|[1-9]|(?:[1-9]|1[0-9])th|backlog|ledger|log|logged|logbook|books?|entry|entries|record|records|register|timesheet|diary|hours|update|catch|catching|up|not|it|was|note|notes|to|self|me|my|mine|week|far|person|quick|house|place|home)$/
/** Words for the lesson itself and how it was given. */
export const LESSON =
  /^(?:lessons?|sessions?|tutoring|tutorial|tuition|trial|taster|intro|makeup|make|extra|bonus|double|online|zoom|skype|teams|facetime|whatsapp|virtual|remote|video|library|review|revision|intensive)$/
/** What lessons are on beside whole subjects. */
export const TOPIC =
  /^(?:mechanics|kinematics|forces|momentum|energy|waves|optics|circuits|electricity|magnetism|thermodynamics|thermo|titrations?|stoichiometry|moles|bonding|mechanisms|redox|acids|equilibrium|organic|kinetics|mitosis|meiosis|cells?|photosynthesis|respiration|evolution|enzymes|limits|continuity|derivatives?|integrals?|integration|differentiation|series|vectors|matrices|logs|logarithms|exponents|exponentials|surds|radicals|indices|polynomials|quadratics?|factoring|factorising|factorizing|inequalities|functions?|graphs?|graphing|sequences|proofs?|identities|angles|triangles|circles|area|volume|ratios?|percent|percentages?|decimals|fractions|rounding|division|multiplication|subtraction|addition|carrying|tables|place|value|word|commas|punctuation|tenses|verbs?|conjugations?|subjunctive|conditionals|articles|prepositions|pronunciation|conversation|dictation|translation|comprehension|essays?|thesis|paragraphs?|outlines?|drafts?|sonnets?|macbeth|hamlet|gatsby|shakespeare|novel|slopes?|fluency|blending|numbers|counting|colours|colors|alphabet|sounds|shapes|clocks?|money|maps?|sources|source|timeline|tudors|vikings|romans|egyptians|ecosystems?|atoms|ions|isotopes|periodic|reactions?|limiting|reagents?|heat|density|pressure|genetics|dna|osmosis|diffusion|plates|earthquakes|rivers|supply|demand|elasticity|ledgers|depreciation|pronouns|adjectives|adverbs|nouns|plurals|preterite|imperfect|gerunds|participles|passive|reported|idioms|kanji|hiragana|katakana|tones|characters|aural|theory|sight|bowing|fingering|pedalling|rhythm|subject|topics?|speaking|listening|writing|summarising|summarizing|inference|annotat(?:ed|ing|ion)|analysis|quotes|quotations|stanzas?|poems?|poetry|plot|phonics|blends|vowels|spellings?|scales|arpeggios|chords|sonata|etudes?|loops|arrays|recursion|lists|corrections|papers|worksheets?|chapters?|unit|exercises?|problems?|questions?|mostly)$/
/** What else may take its time, where it opens the remark: 'Kenji, Mon, 1h15, mock exam at school'. */
export const ELSE = phrase(`
  (?:mock|exams?|tests?|quiz|midterms?|finals?|recital|concert|competition|tournament|rehearsal|band|orchestra|choir|club|camp|(?<!(?:conversation|speaking|oral|exam|essay|reading|writing|listening|test) )practice|oral|orals|cinema|movies?|film|theatre|theater|museum|zoo|beach|pool|park|picnic|barbecue|fishing|bowling|skating|skiing|climbing|trampoline|trampolining|cycling|biking|hiking|walk|run|gaming|fortnite|minecraft|netflix|tv|telly|ipad|lunch|dinner|breakfast|brunch|tea|coffee|pizza|mcdonalds|nandos|shopping|mall|church|mosque|temple|scouts|guides|brownies|cubs|judo|karate|ballet|gym|gymnastics|swim|swimming|football|soccer|rugby|cricket|tennis|hockey|netball|baseball|basketball|lacrosse|rehearsals|show|play|panto|fair|festival|wedding|funeral|sick|ill|illness|shifts?|talk|counselling|counseling|half term|term so|pencilled|fever|forgot|missed|missing|timetable|schedule|rota|plan|waiting list|weekly|resit|paper (?:1|2|3)|never|[a-z]+n't|asleep|slept|hospital|surgery|checkup|vaccination|jab|blood|training|match|game|meet|gala|party|trip|outing|playdate|sleepover|lecture|workshop|seminar|audition|appointment|appt|dentist|doctor|gp|
  physio|orthodontist|optician|therapy|haircut|assembly|detention|homework(?! (?:set|given|assigned|due|for))|study|studying|revising|nap|travel|travelling|driving|commute|waiting|waited|marking|grading|(?<!@subject )(?:planning|prep)|prepping|paperwork|reports?|admin|emails?|invoice|call|chat|meeting|interview|visit|volunteering|
  babysitting|pickup|drop off|holiday|flight|away|busy|free|available|unavailable|off|open|slot|tbc|tbd|provisional|confirm|confirmed|planned|booked|pencilled in|moved|no show|cancelled|canceled|late cancellation|if|unless|or|maybe|please|instead(?! of)|works|would|could|can|will|wants|needs|
  asked|has|starting|starts|reschedule|rescheduled|swap|alone|solo|own|herself|himself|grandma|nan|nani|cousin|school)(?! (?:prep|review|revision|corrections?|questions?|problems?|papers?|technique|sheets?|help|check|skills|practice))`)
/** A remark that begins so tells of the lesson: its reason, or what was done. */
export const REASON = /^(?:as|because|bc|since|but|before)$/
/** Or so: what was done, and how it went. */
export const TELLS =
  /^(?:we|she|he|they|it|i|was|were|went|did|covered|finished|worked|started|good|great|nice|lovely|very|really|shaky|solid|tired|usual)$/
/** A remark in a few words without a verb: 'very wriggly', 'paid'. */
export const MANNER =
  /^(?:very|really|so|bit|good|great|nice|lovely|excellent|brilliant|shaky|solid|tired|hard|slow|better|usual|productive|tricky|tough|quiet|chatty|fun|well|paid|cash|finally)$/
/** That it was forgotten, missed or called off. */
export const UNDONE = phrase(
  '(?:she|he|they|i|we) (?:completely |totally )?(?:forgot|overslept|never|missed|cancelled|canceled|bailed|had to cancel|was (?:ill|sick|away))',
)
/** A remark that begins so tells of another place, other company or something else that was done. */
export const GOES_ELSEWHERE =
  /^(?:of|at|with|in|to|from|by|for|his|her|their|my|our|he|she|they|we|i|it|[a-z]+ing|not|and)$/
/** How the student was. */
export const MOOD = phrase(
  '(?:was|seemed|looked) (?:an? |bit |little |very |really |so |quite |still |rather )*(?:tired|exhausted|distracted|focused|restless|quiet|chatty|great|good|brilliant|fine|late|nervous|keen|unwell|sharp|shaky|lovely|grumpy|sleepy)|felt (?:unwell|ill|sick|tired)',
)
/** Words that go on behind what was done: 'vectors, needs practice'. */
export const GOES_ON = /^(?:needs|wants|has|asked|will|can|could|please|next|homework)$/
/** Of nobody's lesson. */
export const NEVER = phrase(`
  on (?:his|her|their) own|by (?:himself|herself)|alone|at school|at (?:the )?(?:dentist|doctor|hospital|cinema|movies|pool|gym)|not (?:chargeable|billable|charging)|unpaid|to be confirmed|no show|never (?:came|showed)|
  (?:did not|didn't) (?:come|show)|(?:other|another|different) (?:tutor|teacher)|with (?:(?:his|her|their|the) )?(?:school|class|cousins?|friends?|grandma|grandpa|gran|granny|nan|dad|mum|mom|mother|father|brother|sister|aunt|uncle|parents|family|team|band)|at (?:his|her|their) (?:dad|dads|mum|mums|mom|moms|grandma|grandmas|gran|grans|nan|nans|grandparents|cousins?|friends?|aunts?|uncles?)`)
