/** What consumers ask for with an order; most ask for nothing. */
export const notes = [
  'Please pick the ripest ones, they are for tonight.',
  'I will bring my own crate.',
  'No plastic bags, please.',
  'Leave it with the neighbour at number 44 if nobody answers.',
  'A birthday dinner for twelve: thank you for choosing nice ones.',
  'Smaller ones rather than bigger, if there is a choice.',
  'The bell does not work, please knock.',
  'Could you put the receipt in the bag?',
];

/** Why a farm says no. */
export const rejections = [
  'The hail on Tuesday took most of it. I am sorry, please try again next week.',
  'We are closed that day for the spring fair. Any other day is fine.',
  'The cooler failed overnight and I will not sell what was in it.',
  'That address is beyond where our van goes. Pickup would work.',
  'All of this week is promised to the school kitchen already.',
];

/** Why a consumer calls off an order that nobody has taken yet. */
export const cancellationsByConsumer = [
  'Our plans changed and we are away that weekend.',
  'Ordered twice by mistake.',
  'I picked the wrong day, I will order again.',
];

/** Why a farm calls off an order it had taken. */
export const cancellationsByFarmer = [
  'Frost got into the beds before we did. You pay nothing, of course.',
  'The van is at the garage until Monday and you asked for delivery.',
];
