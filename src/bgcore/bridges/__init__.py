"""bgcore under other libraries' interfaces; each library is asked for only when its bridge is loaded.

=============  ========================================================================================
`vector`       thousands of games stepped at once, with numpy alone
`rl`           Gymnasium and PettingZoo environments (the extra ``rl``)
`openspiel`    a state with the methods and action numbers of OpenSpiel's backgammon, without OpenSpiel
`turns`        which games can be played here, how many actions a roll can have, how a game ends
`seen`         what an agent is shown: one row of small integers
`micro`        a turn made one checker at a time
`single`       one game and whose turn it is: what the environments share
=============  ========================================================================================
"""
