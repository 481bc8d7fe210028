"""What captured code reads from outside becomes guards; what it would change there is refused."""
