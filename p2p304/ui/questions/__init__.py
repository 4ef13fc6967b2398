"""Questions beside the cards, for both screens: settings, absence, what follows the end."""
