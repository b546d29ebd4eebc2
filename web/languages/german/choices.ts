/** Where links are choices of one thing. */
export const CHOICES = {
  Choices: 'Varianten',
  'Offer several of your links as choices of one thing. Each page leads to the others.':
    'Bieten Sie mehrere Ihrer Links als Varianten an. Jede Seite führt zu den anderen.',
  'Setting choices requires JavaScript, which is turned off in this browser.':
    'Um Varianten festzulegen, wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'You have no such link.': 'Einen solchen Link haben Sie nicht.',
  'Links to choose from': 'Links zur Auswahl',
  'Buyers see them in the order in which you choose them, unlisted links too.':
    'Käufer sehen sie in der Reihenfolge, in der Sie sie auswählen, auch nicht gelistete Links.',
  'Choose none to sell each by itself again.':
    'Wählen Sie keinen aus, um jeden wieder einzeln zu verkaufen.',
  'Name of the choice {link}': 'Name der Variante {link}',
  'Name, such as PDF': 'Name, zum Beispiel PDF',
  'Not on sale': 'Nicht im Verkauf',
} as const;

/** Why they are refused. */
export const CHOICE_FACTS = {
  'Offer {min} to {max} different links of yours as choices.':
    'Bieten Sie {min} bis {max} verschiedene Ihrer Links als Varianten an.',
  'The link itself must be one of its choices.': 'Der Link selbst muss eine seiner Varianten sein.',
  'Give each choice a name.': 'Geben Sie jeder Variante einen Namen.',
  'Give each choice a name of its own.': 'Geben Sie jeder Variante einen eigenen Namen.',
  'The name of a choice is longer than {limit} characters.':
    'Der Name einer Variante ist länger als {limit} Zeichen.',
  'The name of a choice contains invisible control characters.':
    'Der Name einer Variante enthält unsichtbare Steuerzeichen.',
  'The link {id} is among the choices of another link.':
    'Der Link {id} ist schon eine Variante eines anderen Links.',
  'You have no link with the ID “{id}”. Choose another one.':
    'Einen Link mit der ID „{id}“ haben Sie nicht. Wählen Sie einen anderen aus.',
} as const;
